package dev.tandem.hub;

import dev.tandem.cli.Port;
import dev.tandem.hub.browser.Audit;
import dev.tandem.hub.cli.Records;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.protocol.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Calls and decisions as one list for {@code tandem audit}. */
record CliRecords(Audit calls, PermissionDesk desk) implements Records {
    private static final int DECISIONS = 10_000;

    @Override
    public List<ObjectNode> audit(Port.AuditQuery query) {
        List<ObjectNode> rows = new ArrayList<>();
        if (!query.kind().equals("decision")) {
            calls.find(filter(query)).stream().map(CliRecords::call).forEach(rows::add);
        }
        if (!query.kind().equals("call") && query.door().isEmpty()) {
            desk.decisions(DECISIONS).stream()
                    .filter(row -> fits(row, query))
                    .map(CliRecords::decision)
                    .forEach(rows::add);
        }
        rows.sort(Comparator.comparingLong((ObjectNode row) -> row.path("at").asLong()).reversed());
        return rows.subList(0, Math.min(rows.size(), query.limit()));
    }

    private static Audit.Filter filter(Port.AuditQuery query) {
        return new Audit.Filter(
                query.client(),
                query.tool(),
                query.door(),
                query.origin(),
                query.outcome(),
                query.since(),
                query.limit());
    }

    private static boolean fits(PermissionDesk.Decision row, Port.AuditQuery query) {
        boolean outcome =
                switch (query.outcome()) {
                    case "" -> true;
                    case "ok" -> row.decision().equals("allowed");
                    case "failed" -> !row.decision().equals("allowed");
                    default -> row.decision().equals(query.outcome());
                };
        return outcome
                && row.at() >= query.since()
                && (query.client().isEmpty() || row.clientName().equals(query.client()))
                && (query.tool().isEmpty() || row.tool().equals(query.tool()))
                && (query.origin().isEmpty() || row.origin().equals(query.origin()));
    }

    private static ObjectNode call(Audit.Row row) {
        return Json.object()
                .put("kind", "call")
                .put("at", row.at())
                .put("client", row.client())
                .put("door", row.door())
                .put("tool", row.tool())
                .put("session", row.session())
                .put("browser", row.browser())
                .put("origin", row.origin())
                .put("outcome", row.outcome())
                .put("reason", row.reason())
                .put("durationMs", row.durationMs());
    }

    private static ObjectNode decision(PermissionDesk.Decision row) {
        return Json.object()
                .put("kind", "decision")
                .put("at", row.at())
                .put("client", row.clientName())
                .put("tool", row.tool())
                .put("permissions", row.kinds())
                .put("origin", row.origin())
                .put("outcome", row.decision())
                .put("by", row.by())
                .put("rule", row.ruleId())
                .put("durationMs", row.durationMs());
    }
}
