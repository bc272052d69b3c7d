package dev.tandem.hub.browser;

/**
 * Which requests of one connection keep their order: those of one queue that mean the same target.
 *
 * @param queue empty for a request that waits for none and holds none
 * @param target empty for one that concerns all of them, as it may change what the others mean
 * @param named whether the request names it; else it is the active one, as far as is known
 */
public record OpsLane(String queue, String target, boolean named) {
    static final OpsLane FREE = new OpsLane("", "", false);

    static OpsLane all(String queue) {
        return new OpsLane(queue, "", false);
    }

    static OpsLane named(String queue, String target) {
        return new OpsLane(queue, target, true);
    }

    static OpsLane active(String queue, String target) {
        return new OpsLane(queue, target, false);
    }

    public boolean isFree() {
        return queue.isEmpty();
    }
}
