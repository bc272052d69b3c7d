package dev.tandem.hub;

import dev.tandem.hub.annotation.AnnotationException;
import dev.tandem.hub.annotation.Annotations;
import dev.tandem.hub.annotation.ChatText;
import dev.tandem.hub.browser.AnnotateTool;
import dev.tandem.hub.browser.Watch;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** Joins the annotate tool to the annotation channel, which know nothing of each other. */
final class PageNotes implements AnnotateTool.Annotator {
    private final Annotations annotations;

    PageNotes(Annotations annotations) {
        this.annotations = annotations;
    }

    @Override
    public AnnotateTool.Answer ask(AnnotateTool.Question question) {
        Annotations.Asker asker =
                new Annotations.Asker(
                        "tool-" + UUID.randomUUID(),
                        question.client().caller(),
                        question.client().key(),
                        question.client().label(),
                        question.client().isUser());
        String requestId = question.command().path("requestId").asString("");
        Watch watch = question.watch();
        Runnable stop = () -> annotations.cancel(asker, requestId);
        watch.onCancel(stop);
        try {
            ObjectNode payload =
                    annotations.ask(
                            asker,
                            question.command(),
                            Optional.of(question.browserId()),
                            Duration.ofMillis(question.timeoutMs()),
                            event -> watch.progress(0, 1, event.path("message").asString("")));
            return new AnnotateTool.Answer(Optional.of(payload), ChatText.of(payload));
        } catch (AnnotationException e) {
            if (e.code().equals("cancelled")) {
                return new AnnotateTool.Answer(Optional.empty(), e.text());
            }
            throw failure(e);
        } finally {
            watch.done(stop);
        }
    }

    @Override
    public AnnotateTool.Answer stored() {
        ObjectNode payload =
                annotations
                        .inbox()
                        .take()
                        .orElseThrow(() ->
                                failure(
                                        new AnnotationException(
                                                "payload_unavailable",
                                                "There is no stored annotation.")));
        return new AnnotateTool.Answer(Optional.of(payload), ChatText.of(payload));
    }

    private static TandemException failure(AnnotationException e) {
        return switch (e.code()) {
            case "relay_unavailable" -> TandemException.of(ErrorCode.ANNOTATE_REQUIRES_EXTENSION);
            case "injection_failed" ->
                    new TandemException(ErrorCode.EXECUTION_FAILED, e.text(), "injection_failed");
            default ->
                    new TandemException(
                            ErrorCode.of(e.code()).orElse(ErrorCode.ANNOTATE_FAILED), e.text());
        };
    }
}
