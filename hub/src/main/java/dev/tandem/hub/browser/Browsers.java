package dev.tandem.hub.browser;

import dev.tandem.hub.web.Socket;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.time.Clock;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The browsers that are or were connected, and the clients that work with them. */
public final class Browsers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Browsers.class);

    private final List<Consumer<ObjectNode>> tabListeners = new CopyOnWriteArrayList<>();
    private final List<BiConsumer<String, JsonNode>> editListeners = new CopyOnWriteArrayList<>();
    private final Clock clock;
    private final OpsSessions sessions;
    private final Patience patience;
    private final ScheduledExecutorService timers = timers();
    private final Map<String, Browser> byId = new ConcurrentHashMap<>();
    private final Arrivals arrivals = new Arrivals(byId);
    private final Map<String, OpsClient> clients = new ConcurrentHashMap<>();
    private final Reattachment reattachment;

    public Browsers(OpsSessions sessions, Clock clock, Patience patience) {
        this.sessions = sessions;
        this.clock = clock;
        this.patience = patience;
        this.reattachment = new Reattachment(sessions, clients, clock);
    }

    /** Says that a browser with this id will connect soon, so that calls wait for it. */
    void expect(String browserId, String name, String mode) {
        arrivals.expect(browserId, name, mode);
    }

    /** It will not come (any more). */
    void unexpect(String browserId) {
        arrivals.unexpect(browserId);
        wakeUp();
    }

    /** Whether one is being started. */
    boolean oneComes() {
        return arrivals.oneStarts();
    }

    /** Says whose pairing holds: such browsers look for a hub that was away. */
    public void pairedWith(Supplier<List<String>> ids) {
        arrivals.pairedWith(ids);
    }

    Optional<String> expectedName(String browserId) {
        return arrivals.expectedName(browserId);
    }

    /** Whether the hub pairs browsers of that name itself, for a profile or a run of theirs. */
    public static boolean prepares(String browserId) {
        return browserId.startsWith(ManagedBrowsers.PREFIX)
                || browserId.startsWith(DebuggedBrowsers.PREFIX);
    }

    String modeOf(String browserId) {
        return arrivals.modeOf(browserId);
    }

    Patience patience() {
        return patience;
    }

    ScheduledExecutorService timer() {
        return timers;
    }

    public Collection<Browser> connected() {
        return byId.values().stream()
                .filter(Browser::connected)
                .sorted(Comparator.comparing(Browser::name))
                .toList();
    }

    /** Says which addresses are the hub's own, closed to every tool. */
    public void ownOrigins(ObjectNode message) {
        connected().forEach(browser -> browser.tell(message));
    }

    /** When the user last turned to that browser; 0 if they never did. */
    public long focusedAt(String browserId) {
        Browser browser = byId.get(browserId);
        return browser == null ? 0 : browser.focusedAt();
    }

    public Optional<Browser> find(String nameOrId) {
        return connected().stream().filter(browser -> browser.isNamed(nameOrId)).findFirst();
    }

    /** Takes a browser's new connection and attaches its sessions again before calls go on. */
    Browser connect(String browserId, Browser.Facts facts, Socket socket, String greeting) {
        Browser browser = byId.computeIfAbsent(browserId, id -> new Browser(id, facts, timers));
        browser.connect(socket, facts, greeting);
        browser.used(clock.millis());
        arrivals.unexpect(browserId);
        List<OpsSession> held = sessions.of(browser);
        if (held.isEmpty()) {
            browser.ready(socket);
            announce(browser, true, "connected");
        } else {
            Thread.startVirtualThread(() -> {
                reattachment.of(held, socket);
                browser.ready(socket);
                announce(browser, true, "connected");
                wakeUp();
            });
        }
        wakeUp();
        return browser;
    }

    /** The link ended; its sessions wait for the browser as long as it may take to wake up. */
    void disconnected(Browser browser, Socket socket, String reason, long patienceMs) {
        if (!browser.lost(socket)) {
            return;
        }
        sessions.of(browser).forEach(session -> session.state("closing"));
        announce(browser, false, reason);
        var _ =
                timers.schedule(
                        () -> giveUp(browser, patienceMs), patienceMs, TimeUnit.MILLISECONDS);
    }

    /** By now the browser has ended them too, if it is there at all. */
    private void giveUp(Browser browser, long patienceMs) {
        if (browser.awayFor(patienceMs)) {
            sessions.of(browser).forEach(session -> reattachment.over(session, "session_expired"));
        }
    }

    /**
     * The browser to work in: the named one, else the only one, else the one whose window the user
     * looked at last. Waits while one is reconnecting or starting.
     */
    Browser choose(Optional<String> name) {
        return choose(name, patience.hold().toMillis(), browser -> true);
    }

    Browser choose(Optional<String> name, long holdMs) {
        return choose(name, holdMs, browser -> true);
    }

    /** As {@link #choose}, among the browsers that people brought themselves. */
    Browser chooseOwn(Optional<String> name, long holdMs) {
        return choose(name, holdMs, Browsers::isOwn);
    }

    private static boolean isOwn(Browser browser) {
        return browser.mode().equals("extension");
    }

    private Browser choose(Optional<String> name, long holdMs, Predicate<Browser> wanted) {
        long began = System.nanoTime();
        synchronized (this) {
            while (true) {
                Optional<Browser> found =
                        (name.isPresent() ? find(name.get()) : latest(wanted)).filter(wanted);
                if (found.isPresent()) {
                    return found.get();
                }
                long left =
                        arrivals.hold(holdMs)
                                - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
                if (left <= 0 || !arrivals.mayCome(name, wanted)) {
                    throw notThere(name);
                }
                try {
                    wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw Browser.disconnected(false);
                }
            }
        }
    }

    /** The connected browsers that people brought themselves. */
    public Stream<Browser> own() {
        return connected().stream().filter(Browsers::isOwn);
    }

    /** Waits for one of these whose id is not known yet; none when the time is over. */
    public Optional<Browser> awaitOwn(Set<String> before, long millis) {
        return await(() -> own().filter(one -> !before.contains(one.id())).findFirst(), millis);
    }

    /** Waits for the named browser, or any; where it must be, for one that people brought. */
    void awaitOne(Optional<String> name, boolean own, long millis) {
        Predicate<Browser> wanted = own ? Browsers::isOwn : browser -> true;
        var _ =
                await(
                        () -> (name.isPresent() ? find(name.get()) : latest(wanted)).filter(wanted),
                        millis);
    }

    private Optional<Browser> await(Supplier<Optional<Browser>> wanted, long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        synchronized (this) {
            Optional<Browser> here = wanted.get();
            while (here.isEmpty()) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    return here;
                }
                try {
                    wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return here;
                }
                here = wanted.get();
            }
            return here;
        }
    }

    /** Lets a client receive events. */
    public void join(OpsClient client) {
        clients.put(client.id(), client);
    }

    /** A client's socket closed: its sessions are released where they live. */
    public void leave(OpsClient client) {
        if (clients.remove(client.id(), client)) {
            byId.values().forEach(browser -> browser.clientGone(client, clock.millis()));
        }
    }

    public Collection<OpsClient> clients() {
        return List.copyOf(clients.values());
    }

    /** Who wants to know which tabs a person sees; the body is the extension's {@code tabState}. */
    public void onTabs(Consumer<ObjectNode> listener) {
        tabListeners.add(listener);
    }

    void tabsChanged(ObjectNode tabState) {
        tabListeners.forEach(listener -> listener.accept(tabState));
    }

    /** Who wants to know what the inspector has changed in the pages of which browser. */
    public void onInspectorEdits(BiConsumer<String, JsonNode> listener) {
        editListeners.add(listener);
    }

    void inspected(String browserId, JsonNode modifications) {
        editListeners.forEach(listener -> listener.accept(browserId, modifications));
    }

    /** Follows an event of the extension and hands it to the client it is for. */
    void event(ObjectNode event) {
        sessions.observe(event);
        OpsClient client = clients.get(event.path("clientId").asString(""));
        if (client != null && !event.path("event").asString("").equals(OpsSessions.TAB_OPENED)) {
            client.event(event);
        }
    }

    /** Answers whoever waits for a browser before the browsers go, so that they hear why. */
    public void stopping() {
        byId.values().forEach(Browser::stopping);
    }

    @Override
    public void close() {
        timers.shutdownNow();
        byId.values().forEach(browser -> browser.closeLink(1001, "The hub stops"));
    }

    private synchronized void wakeUp() {
        notifyAll();
    }

    private Optional<Browser> latest(Predicate<Browser> wanted) {
        return byId.values().stream()
                .filter(Browser::connected)
                .filter(wanted)
                .max(
                        Comparator.comparingLong(Browser::focusedAt)
                                .thenComparingLong(Browser::usedAt));
    }

    private TandemException notThere(Optional<String> name) {
        return name.filter(_ -> !connected().isEmpty())
                .map(this::unknown)
                .orElseGet(() -> Browser.disconnected(false));
    }

    private TandemException unknown(String name) {
        List<String> names = connected().stream().map(Browser::name).toList();
        return new TandemException(
                ErrorCode.INVALID_REQUEST,
                "There is no browser named \""
                        + name
                        + "\". Connected: "
                        + String.join(", ", names)
                        + ".");
    }

    private void announce(Browser browser, boolean connected, String reason) {
        LOG.info("Browser {} {}", browser.name(), connected ? "connected" : "left: " + reason);
        for (OpsClient client : clients.values()) {
            ObjectNode event = eventOf("ops_extension_status", client);
            event.putObject("payload")
                    .put("connected", connected)
                    .put("reason", reason)
                    .put("browser", browser.name());
            client.event(event);
        }
    }

    static ObjectNode eventOf(String name, OpsClient client) {
        ObjectNode event = Json.object().put("type", "ops_event");
        event.put("clientId", client.id());
        return event.put("event", name);
    }

    private static ScheduledExecutorService timers() {
        ScheduledThreadPoolExecutor timers =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().name("ops-timers").daemon().factory());
        timers.setRemoveOnCancelPolicy(true);
        return Executors.unconfigurableScheduledExecutorService(timers);
    }
}
