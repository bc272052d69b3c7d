package dev.tandem.cli;

import io.nayuki.qrcodegen.QrCode;

/** A QR code in half blocks: two rows of modules in each line, with the light border it needs. */
final class QrPicture {
    private static final int QUIET = 4;
    private static final int SHORT = 60;

    /** Black on white, whatever colours the terminal has. */
    private static final String INK = "\u001b[38;5;16;48;5;231m";

    private static final String PLAIN = "\u001b[0m";

    private QrPicture() {}

    /**
     * @param colour the terminal knows colours; without them the dark modules are left blank, as on
     *     a dark screen
     */
    static String of(String text, boolean colour) {
        QrCode code =
                QrCode.encodeText(
                        text, text.length() <= SHORT ? QrCode.Ecc.MEDIUM : QrCode.Ecc.LOW);
        StringBuilder out = new StringBuilder();
        for (int y = -QUIET; y < code.size + QUIET; y += 2) {
            out.append(colour ? INK : "");
            for (int x = -QUIET; x < code.size + QUIET; x++) {
                boolean upper = code.getModule(x, y) == colour;
                boolean lower = code.getModule(x, y + 1) == colour;
                out.append(upper ? lower ? '█' : '▀' : lower ? '▄' : ' ');
            }
            out.append(colour ? PLAIN : "").append('\n');
        }
        return out.toString();
    }
}
