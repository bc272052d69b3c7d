package dev.tandem.hub.web;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TcpEnds;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.thread.Scheduler;
import tools.jackson.databind.JsonNode;

/** One request and its answer. Belongs to the thread that handles it. */
public final class Exchange {
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final Caller caller;
    private final Supplier<Caller> proof;
    private final Map<String, String> parameters;
    private final Duration untilProof;
    private boolean answered;
    private volatile boolean streamed;
    private volatile boolean gone;

    Exchange(
            Request request,
            Response response,
            Callback callback,
            RouteTable.Match match,
            Caller caller,
            Supplier<Caller> proof,
            Duration untilProof) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.caller = caller;
        this.proof = proof;
        this.parameters = match.parameters();
        this.untilProof = untilProof;
    }

    public String method() {
        return request.getMethod();
    }

    public String path() {
        return Request.getPathInContext(request);
    }

    public Caller caller() {
        return caller;
    }

    /**
     * The caller as its token proves it by now; refused when that has ended. For requests that
     * bring more than one thing to do, and may last longer than a token or what it is good for.
     */
    public Caller provenNow() {
        return proof.get();
    }

    /** A {@code {name}} part of the route's path, or the rest of the path for {@code *}. */
    public String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }

    public Optional<String> query(String name) {
        Fields fields = Request.extractQueryParameters(request);
        return Optional.ofNullable(fields.getValue(name));
    }

    /** Every value of a parameter that may be given more than once. */
    public List<String> queries(String name) {
        return List.copyOf(Request.extractQueryParameters(request).getValuesOrEmpty(name));
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeaders().get(name));
    }

    /** The connection's two ends, by which the caller's process is found. */
    public TcpEnds ends() {
        return Guard.ends(request);
    }

    /**
     * Lets this connection be silent for as long as it takes; for work that may wait for a person.
     */
    public void patient() {
        request.getConnectionMetaData().getConnection().getEndPoint().setIdleTimeout(0);
    }

    public byte[] body() throws IOException {
        return body(Limits.HTTP_BODY_BYTES);
    }

    /**
     * The body, if it has no more bytes than that; who proved nothing gets few, and little time.
     */
    public byte[] body(int limit) throws IOException {
        return caller.proven() ? read(limit) : readSoon(Math.min(limit, Limits.UNPROVEN_BYTES));
    }

    private byte[] readSoon(int limit) throws IOException {
        ConnectionMetaData connection = request.getConnectionMetaData();
        Scheduler.Task late =
                connection
                        .getConnector()
                        .getScheduler()
                        .schedule(this::hangUp, untilProof.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return read(limit);
        } catch (IOException e) {
            // Nobody is left to tell, and such callers are not to fill the log.
            throw new TandemException(ErrorCode.BAD_REQUEST, "The body did not come.");
        } finally {
            late.cancel();
        }
    }

    private byte[] read(int limit) throws IOException {
        try (InputStream in = Content.Source.asInputStream(request)) {
            byte[] bytes = request.getLength() > limit ? new byte[0] : in.readNBytes(limit + 1);
            if (request.getLength() > limit || bytes.length > limit) {
                passOver(in);
                throw TandemException.of(ErrorCode.PAYLOAD_TOO_LARGE);
            }
            return bytes;
        } catch (EOFException | HttpException.RuntimeException e) {
            // What the caller did wrong, or did not wait for, is not to fill the log.
            throw new TandemException(ErrorCode.BAD_REQUEST, "The body did not come whole.");
        }
    }

    /** Many clients read nothing before they have sent all, and see a broken pipe instead. */
    private void passOver(InputStream in) {
        if (!caller.proven() || request.getHeaders().contains(HttpHeader.EXPECT)) {
            return;
        }
        EndPoint connection = request.getConnectionMetaData().getConnection().getEndPoint();
        long before = connection.getIdleTimeout();
        connection.setIdleTimeout(Limits.of("httpPassedOverMs"));
        try {
            long _ = in.skip(Limits.of("httpPassedOverBytes"));
        } catch (IOException e) {
            // Whoever announces much and sends nothing waits for the answer.
        } finally {
            connection.setIdleTimeout(before);
        }
    }

    /** The stream of the body, for what is read piece by piece. */
    public InputStream bodyStream() {
        return Content.Source.asInputStream(request);
    }

    public JsonNode json() throws IOException {
        return Json.parse(body());
    }

    public Exchange set(String header, String value) {
        response.getHeaders().put(header, value);
        return this;
    }

    public Exchange add(String header, String value) {
        response.getHeaders().add(new HttpField(header, value));
        return this;
    }

    public void respond(int status, JsonNode body) {
        respond(status, "application/json", Json.bytes(body));
    }

    public void respond(int status, String contentType, byte[] body) {
        start(status, contentType);
        last();
        response.write(true, ByteBuffer.wrap(body), callback);
    }

    public void respond(int status) {
        response.setStatus(status);
        last();
        callback.succeeded();
    }

    /** The connection ends with a body that was not read; a client would call there in vain. */
    private void last() {
        answered = true;
        if (!request.consumeAvailable()) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
    }

    /** Starts an answer that is written over time; closing the stream ends it. */
    public OutputStream stream(int status, String contentType) {
        start(status, contentType);
        answered = true;
        streamed = true;
        if (gone) {
            hangUp();
        }
        return Content.Sink.asOutputStream(response);
    }

    /** Starts a stream of server-sent events. */
    public EventStream events() throws IOException {
        response.getHeaders().put("Cache-Control", "no-cache");
        response.getHeaders().put("X-Accel-Buffering", "no");
        return new EventStream(stream(200, "text/event-stream"), this::hangUp);
    }

    /** The caller's rights ended: what is being streamed to them breaks off, nothing new begins. */
    void dismiss() {
        gone = true;
        if (streamed) {
            hangUp();
        }
    }

    private void hangUp() {
        request.getConnectionMetaData().getConnection().getEndPoint().close();
    }

    boolean answered() {
        return answered;
    }

    /** The answer was written piece by piece, and ends when its handler returns. */
    boolean streamed() {
        return streamed;
    }

    boolean committed() {
        return response.isCommitted();
    }

    void finish() {
        callback.succeeded();
    }

    private void start(int status, String contentType) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
    }
}
