package dev.tandem.hub.debug;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedactionTest {
    @Test
    void hidesWhatAnAddressCallsSecretAndNothingElse() {
        assertThat(Redaction.address("https://u:p@x.test/a?page=2&my_token=s#id_token=t;q?key=5&r"))
                .isEqualTo(
                        "https://x.test/a?page=2&my_token=[REDACTED]#id_token=[REDACTED];q?key=[REDACTED]&r");
    }

    /** A page chooses its address, and one that ends in a busy hub must not exist. */
    @Test
    void anAddressTenTimesAsLongCostsNoMoreThanSomeTenTimesAsMuch() {
        for (String part : new String[] {"?", "?key", "key", "&key", "://", "a"}) {
            long brief = cost("https://x.test/?" + part.repeat(400 / part.length()));
            long tenfold = cost("https://x.test/?" + part.repeat(4000 / part.length()));
            assertThat(tenfold).as(part).isLessThan(40 * Math.max(brief, 200_000));
        }
    }

    private static long cost(String address) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            long begun = System.nanoTime();
            Redaction.address(address);
            least = Math.min(least, System.nanoTime() - begun);
        }
        return least;
    }
}
