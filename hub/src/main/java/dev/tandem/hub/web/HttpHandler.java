package dev.tandem.hub.web;

/** Answers one request; runs on a virtual thread and may block. */
@FunctionalInterface
public interface HttpHandler {
    void handle(Exchange exchange) throws Exception;
}
