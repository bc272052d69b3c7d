package dev.tandem.hub.annotation;

import dev.tandem.hub.auth.Secrets;
import dev.tandem.hub.store.Database;
import dev.tandem.hub.store.Sql;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What people sent and nobody has taken yet: a bounded list without pictures, forgotten after a
 * week. Any thread may call it.
 */
public final class Inbox {
    private static final String ROW =
            "receipt_id, delivery_state, reason, chat, created_at, item_count, byte_length, source,"
                    + " label";

    private final Database database;
    private final Chats chats;
    private final Clock clock;

    public Inbox(Database database, Chats chats, Clock clock) {
        this.database = database;
        this.chats = chats;
        this.clock = clock;
    }

    /** Keeps a payload and offers it to the open chat; the same again within a minute is one. */
    public Receipt store(ObjectNode sent, String source, String label) {
        return store(sent, source, label, Optional.empty());
    }

    /** The same for a chat that the person named. */
    Receipt store(ObjectNode sent, String source, String label, Optional<String> chat) {
        ObjectNode payload = withoutPictures(sent);
        String text = Json.write(payload);
        int items = payload.path("annotations").size();
        if (items == 0) {
            throw new AnnotationException("invalid_request", "There is nothing marked to send.");
        }
        String hash = Secrets.sha256(withoutTime(payload));
        long now = clock.millis();
        Optional<Receipt> same =
                database.read(sql ->
                        sql.first(
                                "SELECT "
                                        + ROW
                                        + " FROM annotations WHERE hash = ? AND source = ? AND"
                                        + " label = ? AND created_at > ?",
                                Inbox::receipt,
                                hash,
                                source,
                                label,
                                now - Limits.of("annotationDuplicateMs")));
        if (same.isPresent()) {
            return same.get();
        }
        Chats.Offer offer =
                fitsChat(items, text)
                        ? chats.offer(ChatText.of(payload), chat)
                        : Chats.Offer.none();
        Receipt receipt =
                new Receipt(
                        UUID.randomUUID().toString(),
                        offer.state(),
                        offer.reason(),
                        offer.chat(),
                        now,
                        items,
                        text.length(),
                        source,
                        label);
        return database.write(sql -> insert(sql, receipt, hash, text));
    }

    /**
     * Everything that nobody has taken, oldest first and within what one chat takes; then taken.
     */
    public Optional<ObjectNode> take() {
        return database.write(sql -> {
            trim(sql);
            List<Stored> unread =
                    sql.query(
                            "SELECT receipt_id, payload FROM annotations WHERE consumed_at IS NULL"
                                    + " ORDER BY created_at",
                            row -> new Stored(row.getString(1), row.getString(2)));
            List<Stored> taken = new ArrayList<>();
            int items = 0;
            int bytes = 0;
            for (Stored one : unread) {
                int more = one.json().path("annotations").size();
                if (!taken.isEmpty()
                        && (items + more > Limits.of("annotationChatItems")
                                || bytes + one.text().length()
                                        > Limits.of("annotationChatBytes"))) {
                    break;
                }
                items += more;
                bytes += one.text().length();
                taken.add(one);
            }
            for (Stored one : taken) {
                sql.update(
                        "UPDATE annotations SET consumed_at = ?, delivery_state = 'consumed' WHERE"
                                + " receipt_id = ?",
                        clock.millis(),
                        one.id());
            }
            return taken.isEmpty() ? Optional.<ObjectNode>empty() : Optional.of(merged(taken));
        });
    }

    private record Stored(String id, String text) {
        ObjectNode json() {
            return Json.parseObject(text);
        }
    }

    private static boolean fitsChat(int items, String text) {
        return items <= Limits.of("annotationChatItems")
                && text.length() <= Limits.of("annotationChatBytes");
    }

    private Receipt insert(Sql sql, Receipt receipt, String hash, String payload)
            throws SQLException {
        boolean read = !receipt.state().equals("stored_only");
        sql.update(
                "INSERT INTO annotations(receipt_id, delivery_state, reason, chat, created_at,"
                        + " item_count, byte_length, source, label, hash, payload, consumed_at)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                receipt.id(),
                receipt.state(),
                receipt.reason().orElse(null),
                receipt.chat().orElse(null),
                receipt.createdAt(),
                receipt.items(),
                receipt.bytes(),
                receipt.source(),
                receipt.label(),
                hash,
                payload,
                read ? receipt.createdAt() : null);
        trim(sql);
        return receipt;
    }

    private void trim(Sql sql) throws SQLException {
        sql.update(
                "DELETE FROM annotations WHERE created_at < ?",
                clock.millis() - Limits.of("annotationInboxMs"));
        sql.update(
                "DELETE FROM annotations WHERE receipt_id NOT IN (SELECT receipt_id FROM"
                        + " annotations ORDER BY created_at DESC LIMIT ?)",
                Limits.of("annotationInboxEntries"));
        sql.update(
                "UPDATE annotations SET consumed_at = ? WHERE consumed_at IS NULL AND receipt_id"
                        + " NOT IN (SELECT receipt_id FROM annotations WHERE consumed_at IS NULL"
                        + " ORDER BY created_at DESC LIMIT ?)",
                clock.millis(),
                Limits.of("annotationInboxUnread"));
    }

    private static ObjectNode merged(List<Stored> taken) {
        ObjectNode last = taken.getLast().json();
        ObjectNode payload = Json.object().put("schemaVersion", 2);
        for (String field : new String[] {"url", "title", "timestamp", "context"}) {
            if (last.has(field)) {
                payload.set(field, last.get(field));
            }
        }
        payload.put("screenshotMode", "none");
        ArrayNode annotations = payload.putArray("annotations");
        for (Stored one : taken) {
            ObjectNode stored = one.json();
            for (JsonNode annotation : stored.path("annotations")) {
                if (annotation instanceof ObjectNode item) {
                    item.put("receiptId", one.id());
                    item.set("url", stored.path("url"));
                    annotations.add(item);
                }
            }
        }
        return payload;
    }

    private static ObjectNode withoutPictures(ObjectNode sent) {
        ObjectNode payload = sent.deepCopy();
        payload.remove("screenshots");
        payload.remove("compact");
        payload.put("screenshotMode", "none");
        for (JsonNode annotation : payload.path("annotations")) {
            if (annotation instanceof ObjectNode item) {
                item.remove("screenshotId");
            }
        }
        return payload;
    }

    private static String withoutTime(ObjectNode payload) {
        ObjectNode copy = payload.deepCopy();
        copy.remove("timestamp");
        return Json.write(copy);
    }

    private static Receipt receipt(ResultSet row) throws SQLException {
        return new Receipt(
                row.getString(1),
                row.getString(2),
                Optional.ofNullable(row.getString(3)),
                Optional.ofNullable(row.getString(4)),
                row.getLong(5),
                row.getInt(6),
                row.getInt(7),
                row.getString(8),
                row.getString(9));
    }
}
