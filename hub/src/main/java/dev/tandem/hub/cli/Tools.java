package dev.tandem.hub.cli;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** The browsers of the hub, as command lines use them. */
public interface Tools {
    /** Runs a tool to its end; failures are {@link dev.tandem.protocol.TandemException}. */
    ObjectNode call(Call call);

    /** Puts the marks of one answer around words of a page; nothing gets none. */
    UnaryOperator<String> marks();

    /** An answer as data, with marks around what a page wrote. */
    ObjectNode marked(Tool tool, ObjectNode data);

    /** The sentence of a failure, with marks where it can quote a page. */
    String marked(TandemException failure);

    /** A failure as data, {@code error} and {@code details}, likewise. */
    ObjectNode markedData(TandemException failure);

    /** The connected browsers: name, mode, version. */
    List<ObjectNode> browsers();

    /** The ids of the connected browsers that people brought themselves. */
    Set<String> ownBrowsers();

    /** Waits for such a browser that is not one of those; none when the time is over. */
    Optional<ObjectNode> awaitOwnBrowser(Set<String> before, Duration atMost);

    /**
     * One call.
     *
     * @param gone completes when the launcher is gone and the work should end
     */
    record Call(Tool tool, ObjectNode arguments, Caller caller, CompletableFuture<Void> gone) {}
}
