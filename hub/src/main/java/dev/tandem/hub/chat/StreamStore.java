package dev.tandem.hub.chat;

import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Keeps streams. Pieces of one text are kept together under their last number; a reader who saw
 * some of them gets the rest only.
 */
final class StreamStore {
    private final Database database;

    StreamStore(Database database) {
        this.database = database;
    }

    /** Keeps events in order; texts that follow each other become one. */
    void append(List<StreamEvent> events, long now) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        int i = 0;
        while (i < events.size()) {
            StreamEvent first = events.get(i);
            int end = i + 1;
            while (isText(first) && end < events.size() && joins(first, events.get(end))) {
                end++;
            }
            rows.add(row(events.subList(i, end), now));
            i = end;
        }
        database.write(sql -> {
            sql.batch(
                    "INSERT INTO chat_stream_events(stream_id, sequence, message_id, event_type,"
                            + " data, first_sequence, pieces, created_at) VALUES (?, ?, ?, ?, ?, ?,"
                            + " ?, ?)",
                    rows);
            return rows.size();
        });
    }

    List<StreamEvent> after(String streamId, long sequence) {
        return database.read(sql ->
                sql.query(
                        "SELECT stream_id, sequence, event_type, data, first_sequence, pieces FROM"
                                + " chat_stream_events WHERE stream_id = ? AND sequence > ? ORDER"
                                + " BY stream_id, sequence",
                        row -> event(row, sequence),
                        streamId,
                        sequence));
    }

    long last(String streamId) {
        return database.read(sql ->
                        sql.first(
                                "SELECT MAX(sequence) FROM chat_stream_events WHERE stream_id = ?",
                                row -> row.getLong(1),
                                streamId))
                .orElse(0L);
    }

    private static boolean isText(StreamEvent event) {
        return event.type().equals("content_delta") || event.type().equals("reasoning_delta");
    }

    private static boolean joins(StreamEvent first, StreamEvent next) {
        return next.type().equals(first.type()) && next.streamId().equals(first.streamId());
    }

    private static @Nullable Object[] row(List<StreamEvent> joined, long now) {
        StreamEvent last = joined.getLast();
        ArrayNode pieces = Json.array();
        JsonNode data = last.data();
        if (isText(last)) {
            StringBuilder text = new StringBuilder();
            for (StreamEvent one : joined) {
                String piece = Json.text(one.data(), "delta").orElse("");
                text.append(piece);
                pieces.add(piece.length());
            }
            data = Json.object().put("delta", text.toString());
        }
        return new @Nullable Object[] {
            last.streamId(),
            last.sequence(),
            last.streamId(),
            last.type(),
            Json.write(data),
            joined.getFirst().sequence(),
            Json.write(pieces),
            now
        };
    }

    private static StreamEvent event(ResultSet row, long seen) throws SQLException {
        long first = row.getLong(5);
        var data = Json.parseObject(row.getString(4));
        if (seen >= first) {
            int skip = 0;
            JsonNode pieces = Json.parse(row.getString(6));
            for (int i = 0; i <= seen - first && i < pieces.size(); i++) {
                skip += pieces.get(i).asInt();
            }
            data.put("delta", Json.text(data, "delta").orElse("").substring(skip));
        }
        return new StreamEvent(row.getString(1), row.getLong(2), row.getString(3), data);
    }
}
