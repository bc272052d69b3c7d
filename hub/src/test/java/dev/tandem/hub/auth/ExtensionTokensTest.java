package dev.tandem.hub.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.store.Database;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExtensionTokensTest {
    @TempDir Path folder;
    private final Ticking clock = new Ticking();
    private Database database;
    private ExtensionTokens tokens;

    @BeforeEach
    void open() {
        database = Database.open("", folder.resolve("tandem.db"));
        tokens = new ExtensionTokens(database, clock);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void anAccessTokenProvesItsBrowserForAQuarterOfAnHour() {
        ExtensionTokens.Pair pair = tokens.create("b1", "Chrome");
        assertThat(tokens.caller(pair.access()).orElseThrow().kind())
                .isEqualTo(TokenKind.EXTENSION);
        clock.forward(Duration.ofMinutes(15).plusMillis(1));
        assertThat(tokens.caller(pair.access())).isEmpty();
    }

    // SEC-24: whoever was being looked up while it ended is not known afterwards
    @Test
    void aTokenThatIsRevokedWhileItIsReadIsNotKept() throws Exception {
        CountDownLatch found = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ExtensionTokens slow = new ExtensionTokens(new SlowReads(database, found, goOn), clock);
        ExtensionTokens.Pair pair = slow.create("b1", "Chrome");
        Thread reading = Thread.startVirtualThread(() -> slow.caller(pair.access()));
        found.await();
        Thread revoking = Thread.ofPlatform().start(() -> slow.revoke(pair.sessionId()));
        await().until(() ->
                revoking.getState() == Thread.State.TERMINATED
                        || revoking.getState() == Thread.State.BLOCKED);
        goOn.countDown();
        reading.join();
        revoking.join();
        assertThat(slow.caller(pair.access())).isEmpty();
    }

    /** A database whose first read has its answer long before it gives it. */
    private record SlowReads(Database real, CountDownLatch found, CountDownLatch goOn)
            implements Database {
        @Override
        public <T> T read(Work<T> work) {
            T answer = real.read(work);
            found.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return answer;
        }

        @Override
        public <T> T write(Work<T> work) {
            return real.write(work);
        }

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public void close() {
            real.close();
        }
    }

    @Test
    void aWebPageOnADeviceIsNoBrowserAndStaysNone() {
        ExtensionTokens.Pair first = tokens.createDevice("web-1", "Phone");
        ExtensionTokens.Pair second = tokens.refresh(first.refresh()).orElseThrow();
        Caller device = tokens.caller(second.access()).orElseThrow();
        assertThat(device.kind()).isEqualTo(TokenKind.DEVICE);
        assertThat(device.name()).isEqualTo("Phone");
        assertThat(device.mode()).isEqualTo(Caller.Mode.READ_ONLY);
        assertThat(second.access()).startsWith("tdd_");
    }

    @Test
    void refreshingReplacesBothAndKeepsTheSession() {
        ExtensionTokens.Pair first = tokens.create("b1", "Chrome");
        ExtensionTokens.Pair second = tokens.refresh(first.refresh()).orElseThrow();
        assertThat(second.sessionId()).isEqualTo(first.sessionId());
        assertThat(tokens.caller(first.access())).isEmpty();
        assertThat(tokens.caller(second.access())).isPresent();
        assertThat(second.refresh()).isNotEqualTo(first.refresh());
    }

    @Test
    void aRefreshRepeatedWithinTenSecondsIsAnsweredAgain() {
        ExtensionTokens.Pair first = tokens.create("b1", "Chrome");
        assertThat(tokens.refresh(first.refresh())).isPresent();
        clock.forward(Duration.ofSeconds(9));
        assertThat(tokens.refresh(first.refresh())).isPresent();
    }

    @Test
    void aRefreshTokenUsedAgainLaterEndsTheSession() {
        ExtensionTokens.Pair first = tokens.create("b1", "Chrome");
        ExtensionTokens.Pair second = tokens.refresh(first.refresh()).orElseThrow();
        clock.forward(Duration.ofSeconds(11));
        assertThat(tokens.refresh(first.refresh())).isEmpty();
        assertThat(tokens.refresh(second.refresh())).isEmpty();
        assertThat(tokens.caller(second.access())).isEmpty();
    }

    @Test
    void aRefreshTokenEndsAfterThirtyDays() {
        ExtensionTokens.Pair pair = tokens.create("b1", "Chrome");
        clock.forward(Duration.ofDays(30).plusSeconds(1));
        assertThat(tokens.refresh(pair.refresh())).isEmpty();
    }

    @Test
    void noTokenIsKeptInClear() throws Exception {
        ExtensionTokens.Pair pair = tokens.create("b1", "Chrome");
        String all =
                database.read(sql ->
                        sql.query(
                                        "SELECT access_hash || refresh_hash FROM"
                                                + " extension_sessions",
                                        row -> row.getString(1))
                                .toString());
        assertThat(all).doesNotContain(pair.access()).doesNotContain(pair.refresh());
    }

    @Test
    void pairingCodesWorkOnceAndNotAfterFiveMinutes() {
        PairingCodes codes = new PairingCodes(clock);
        String code = codes.create();
        assertThat(code).matches("[A-Z0-9]{4}-[A-Z0-9]{4}");
        assertThat(codes.redeem(code.toLowerCase(java.util.Locale.ROOT).replace("-", " ")))
                .isTrue();
        assertThat(codes.redeem(code)).isFalse();
        String late = codes.create();
        clock.forward(Duration.ofMinutes(5).plusSeconds(1));
        assertThat(codes.redeem(late)).isFalse();
    }

    @Test
    void fiveWrongCodesVoidTheOpenOne() {
        PairingCodes codes = new PairingCodes(clock);
        String code = codes.create();
        for (int i = 0; i < 5; i++) {
            assertThat(codes.redeem("WRNG-000" + i)).isFalse();
        }
        assertThat(codes.redeem(code)).isFalse();
    }

    @Test
    void clientTokensCarryProfileAndModeUntilRevoked() {
        ClientTokens clients = new ClientTokens(database, clock);
        String token = clients.add("ci", "core", Caller.Mode.READ_ONLY);
        Caller caller = clients.caller(token).orElseThrow();
        assertThat(caller.profile()).isEqualTo("core");
        assertThat(caller.mode()).isEqualTo(Caller.Mode.READ_ONLY);
        assertThat(clients.revoke("ci")).contains(caller.id());
        assertThat(clients.caller(token)).isEqualTo(Optional.empty());
    }

    /** A clock that moves when told to. */
    private static final class Ticking extends Clock {
        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        void forward(Duration by) {
            now = now.plus(by);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }
}
