package dev.tandem.hub.permission;

import dev.tandem.hub.auth.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Shows that this hub's user made or accepted an allow rule. The key is not in the store: whoever
 * can write there, from another machine or by hand, cannot allow anything.
 */
public final class RuleSeal {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    private RuleSeal(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** The seal of a hub that has one; made at its first start. */
    public static RuleSeal in(Path stateDir) throws IOException {
        Path file = stateDir.resolve("rules.key");
        try {
            Files.createFile(
                    file,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, Secrets.hex(32));
        } catch (FileAlreadyExistsException e) {
            // made before
        }
        return new RuleSeal(HexFormat.of().parseHex(Files.readString(file).strip()));
    }

    /** One that no other run has. */
    static RuleSeal fresh() {
        return new RuleSeal(HexFormat.of().parseHex(Secrets.hex(32)));
    }

    String of(Rule rule) {
        String text =
                String.join(
                        "\0",
                        rule.project(),
                        rule.tool(),
                        rule.origin(),
                        rule.client(),
                        Long.toString(rule.expiresAt()));
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java runtime has no " + ALGORITHM + ".", e);
        }
    }

    boolean fits(Rule rule, String seal) {
        return MessageDigest.isEqual(
                of(rule).getBytes(StandardCharsets.UTF_8), seal.getBytes(StandardCharsets.UTF_8));
    }
}
