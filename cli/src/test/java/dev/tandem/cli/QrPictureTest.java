package dev.tandem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.NotFoundException;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class QrPictureTest {
    private static final int PIXELS = 6;
    private static final String URL = "http://127.0.0.1:8787/app/#pair=ABCD-1234";

    // ACP-16: read by a decoder that shares nothing with what drew it
    @Test
    void anIndependentDecoderReadsWhatIsPrinted() throws Exception {
        assertThat(decode(QrPicture.of(URL, false), false)).isEqualTo(URL);
        String inked = QrPicture.of(URL, true);
        assertThat(inked.lines()).allMatch(line -> line.startsWith("\u001b[38;5;16;48;5;231m"));
        assertThat(decode(inked.replaceAll("\u001b\\[[0-9;]*m", ""), true)).isEqualTo(URL);
        String longer = "https://" + "x".repeat(80) + ".test/app/#pair=ABCD-1234";
        assertThat(decode(QrPicture.of(longer, false), false)).isEqualTo(longer);
    }

    @Test
    void itFitsATerminalAndHasItsBorder() {
        List<String> lines = QrPicture.of(URL, false).lines().toList();
        assertThat(lines).allMatch(line -> line.length() <= 80);
        assertThat(lines.getFirst()).matches("█+");
        assertThat(lines.get(1)).matches("█+");
        assertThat(lines.get(3)).startsWith("████").endsWith("████");
    }

    @Test
    void theCommandSaysWhatAPhoneCanReach() {
        Console console = new Console();
        assertThat(console.run("qr")).isZero();
        assertThat(console.out.toString())
                .contains(URL, "works once", "cannot reach it by itself", "adb reverse tcp:8787");
        assertThat(console.out.toString().lines()).allMatch(line -> line.length() <= 80);
        assertThat(console.run("qr", "--json")).isZero();
        assertThat(console.json().path("data").path("url").asString()).isEqualTo(URL);
    }

    private static String decode(String picture, boolean inked) throws Exception {
        List<String> lines = picture.lines().toList();
        int width = lines.getFirst().length() * PIXELS;
        int height = lines.size() * 2 * PIXELS;
        int[] pixels = new int[width * height];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                char block = lines.get(y / (2 * PIXELS)).charAt(x / PIXELS);
                boolean upper = y / PIXELS % 2 == 0;
                boolean filled = block == '█' || block == (upper ? '▀' : '▄');
                pixels[y * width + x] = filled == inked ? 0xff000000 : 0xffffffff;
            }
        }
        try {
            return new QRCodeReader()
                    .decode(
                            new BinaryBitmap(
                                    new HybridBinarizer(
                                            new RGBLuminanceSource(width, height, pixels))))
                    .getText();
        } catch (NotFoundException e) {
            throw new AssertionError("no code in\n" + picture, e);
        }
    }
}
