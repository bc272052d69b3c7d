package dev.tandem.protocol;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Every error that Tandem can answer; its faces on each edge come from errors.json. */
public enum ErrorCode {
    // The closed list of /ops.
    OPS_UNAVAILABLE,
    INVALID_REQUEST,
    INVALID_SESSION,
    NOT_OWNER,
    RESTRICTED_URL,
    TIMEOUT,
    NOT_SUPPORTED,
    EXECUTION_FAILED,
    CDP_ATTACH_FAILED,
    CDP_SESSION_LOST,
    CDP_ATTACH_BLOCKED,
    PARALLELISM_BACKPRESSURE,
    SNAPSHOT_TOO_LARGE,
    // Tools and the command line.
    UNSUPPORTED_MODE,
    WAIT_INVALID,
    EXTENSION_NOT_CONNECTED,
    EXTENSION_CONNECT_FAILED,
    EXTENSION_LEGACY_REQUIRED,
    LAUNCH_FAILED,
    CONNECT_FAILED,
    STATUS_FAILED,
    ANNOTATE_REQUIRES_EXTENSION,
    ANNOTATE_FAILED,
    PROMPTING_GUIDE_FAILED,
    SKILL_NOT_FOUND,
    // The annotation channel.
    DIRECT_UNAVAILABLE,
    DIRECT_FAILED,
    RELAY_UNAVAILABLE,
    INJECTION_FAILED,
    CAPTURE_FAILED,
    PAYLOAD_UNAVAILABLE,
    CANCELLED,
    UNKNOWN,
    // The gate.
    PERMISSION_DENIED,
    PERMISSION_PENDING,
    PERMISSION_TIMEOUT,
    NO_TURN,
    PATH_DENIED,
    KILLED,
    ORIGIN_CHANGED,
    // The doors.
    UNAUTHORIZED,
    FORBIDDEN_ORIGIN,
    FORBIDDEN_HOST,
    FORBIDDEN,
    NOT_FOUND,
    METHOD_NOT_ALLOWED,
    PAYLOAD_TOO_LARGE,
    BAD_JSON,
    BAD_REQUEST,
    RATE_LIMITED,
    PAIRING_FAILED,
    CONFLICT,
    // The process.
    USAGE,
    UNKNOWN_COMMAND,
    HUB_UNREACHABLE,
    PORT_IN_USE,
    ALREADY_RUNNING,
    STATE_UNREADABLE,
    STATE_DIR_REFUSED,
    STORE_FULL,
    BROWSER_MISSING,
    JAVA_MISSING,
    STOPPING,
    AGENT_FAILED,
    INTERNAL;

    /** Who can do something about it. */
    public enum Kind {
        USER,
        INTERNAL,
        RESOURCES,
        EXTERNAL
    }

    /**
     * Whether trying again can help: never, always, or only where nothing can have happened twice.
     */
    public enum Retry {
        NO,
        YES,
        IDEMPOTENT
    }

    private static final Map<String, ErrorCode> BY_CODE = new HashMap<>();

    static {
        for (ErrorCode code : values()) {
            BY_CODE.put(code.code(), code);
        }
    }

    public static Optional<ErrorCode> of(String code) {
        return Optional.ofNullable(BY_CODE.get(code));
    }

    /** The word on the wire. */
    public String code() {
        return row().code();
    }

    public Kind kind() {
        return row().kind();
    }

    public Retry retry() {
        return row().retry();
    }

    public int http() {
        return row().http();
    }

    public int jsonrpc() {
        return row().jsonrpc();
    }

    public int exit() {
        return row().exit();
    }

    public String message() {
        return row().message();
    }

    public String hint() {
        return row().hint();
    }

    /** The hint for a reason of {@code details.reason}, or the general one. */
    public String hint(String reason) {
        return row().reasons().getOrDefault(reason, row().hint());
    }

    /** The reasons that errors.json names for this code, with their hints. */
    public Map<String, String> reasons() {
        return row().reasons();
    }

    /** Whether it belongs to the closed list that may travel over /ops. */
    public boolean wire() {
        return row().wire();
    }

    private ErrorTable.Row row() {
        return ErrorTable.row(name());
    }
}
