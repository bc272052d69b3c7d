package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.protocol.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The explorer on /ws, over a folder the user registered. */
@Timeout(180)
class RelayFilesTest {
    @TempDir static Path folder;
    private static EdgeHub hub;
    private static Path work;

    @BeforeAll
    static void start() throws Exception {
        hub = new EdgeHub(folder);
        work = Files.createDirectories(folder.resolve("work")).toRealPath();
        Files.createDirectories(work.resolve("src"));
        Files.writeString(work.resolve("README.md"), "# Hello\n");
        Files.writeString(work.resolve("notes.txt"), "plain");
        Files.writeString(folder.resolve("secret.txt"), "outside");
        Files.createSymbolicLink(work.resolve("escape"), folder.resolve("secret.txt"));
        hub.sessions().engine().folders().register("default", work);
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    private static String open(ChatSocket chat) throws Exception {
        ObjectNode message = Json.object().put("type", "new_session").put("id", "n");
        message.put("agentId", "scripted").put("cwd", work.toString()).put("start", false);
        JsonNode made = chat.ask("n", Json.write(message));
        assertThat(made.get("type").asString()).as(made.toString()).isEqualTo("session_created");
        return made.get("sessionId").asString();
    }

    private static String ask(String type, String session, String path) {
        return Json.write(
                Json.object()
                        .put("type", type)
                        .put("id", type + path)
                        .put("sessionId", session)
                        .put("path", path));
    }

    // ACP-20, ACP-61, ACP-62, ACP-63, ACP-64
    @Test
    void aFolderIsListedAndAFileIsRead() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat);
            JsonNode root = chat.hear("dir_listing");
            List<String> rows = new ArrayList<>();
            root.get("items")
                    .forEach(item ->
                            rows.add(
                                    item.get("type").asString()
                                            + " "
                                            + item.get("name").asString()));
            assertThat(rows)
                    .containsSubsequence("directory src", "file notes.txt", "file README.md");
            JsonNode read = chat.ask("read_fileREADME.md", ask("read_file", id, "README.md"));
            assertThat(read.get("path").asString()).isEqualTo("README.md");
            assertThat(read.get("content").asString()).isEqualTo("# Hello\n");
            assertThat(read.get("mimeType").asString()).isEqualTo("text/markdown");
            JsonNode text = chat.ask("read_filenotes.txt", ask("read_file", id, "notes.txt"));
            assertThat(text.get("mimeType").asString()).isEqualTo("text/plain");
        }
    }

    // ACP-61, ACP-62, ACP-C18: relative to the session's folder, or absolute inside it
    @Test
    void aListingHasTheItemsOfThatFolder() throws Exception {
        Path tree = Files.createDirectories(work.resolve("tree"));
        Files.createDirectories(tree.resolve("in"));
        Files.writeString(tree.resolve("a.txt"), "abc");
        Files.writeString(tree.resolve(".hidden"), "");
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat);
            for (String path : List.of("tree", tree.toString())) {
                JsonNode listed = chat.ask("list_dir" + path, ask("list_dir", id, path));
                assertThat(listed.get("type").asString()).isEqualTo("dir_listing");
                assertThat(listed.get("path").asString()).isEqualTo(path);
                assertThat(listed.get("items").valueStream())
                        .extracting(RelayFilesTest::row)
                        .containsExactly("directory in tree/in", "file a.txt tree/a.txt");
                assertThat(listed.at("/items/1/size").asInt()).isEqualTo(3);
            }
            JsonNode root = chat.ask("list_dir", ask("list_dir", id, ""));
            assertThat(root.get("path").asString()).isEmpty();
            assertThat(root.get("items").valueStream())
                    .extracting(RelayFilesTest::row)
                    .contains("directory tree tree", "file notes.txt notes.txt");
        }
    }

    private static String row(JsonNode item) {
        return "%s %s %s"
                .formatted(
                        item.get("type").asString(),
                        item.get("name").asString(),
                        item.get("path").asString());
    }

    // ACP-157 (on /ws), ACP-L1, ACP-L15: two reads in flight, one fails, the other succeeds
    @Test
    void whatLiesOutsideStaysThere() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat);
            chat.say(ask("read_file", id, "escape"));
            chat.say(ask("read_file", id, "notes.txt"));
            assertThat(chat.answer("read_filenotes.txt").get("content").asString())
                    .isEqualTo("plain");
            for (String path :
                    List.of(
                            "escape",
                            "../secret.txt",
                            folder + "/secret.txt",
                            "/proc/self/environ")) {
                JsonNode refused = chat.ask("read_file" + path, ask("read_file", id, path));
                assertThat(refused.get("code").asString()).as(path).isEqualTo("path_denied");
                assertThat(refused.get("message").asString())
                        .isEqualTo("Access denied or file not found");
            }
            JsonNode up = chat.ask("list_dir..", ask("list_dir", id, ".."));
            assertThat(up.get("code").asString()).isEqualTo("path_denied");
            assertThat(up.get("message").asString()).isEqualTo("list_dir failed: ..");
            assertThat(chat.ask("read_filesrc", ask("read_file", id, "src")).get("code").asString())
                    .isEqualTo("not_a_file");
            assertThat(
                            chat.ask("list_dirnotes.txt", ask("list_dir", id, "notes.txt"))
                                    .get("code")
                                    .asString())
                    .isEqualTo("not_a_directory");
            assertThat(
                            chat.ask("read_filenone", ask("read_file", id, "none"))
                                    .get("code")
                                    .asString())
                    .isEqualTo("not_found");
        }
    }

    // ACP-C5: the older word only under payload
    @Test
    void anOlderClientFindsItsWord() throws Exception {
        try (ChatSocket old = ChatSocket.open(hub, "?token=" + hub.token)) {
            old.say("{\"type\":\"connect\",\"agentId\":\"scripted\"}");
            old.hear("connected");
            open(old);
            JsonNode root = old.hear("dir_listing");
            assertThat(root.at("/items/0/type").asString()).isEqualTo("directory");
            assertThat(root.at("/payload/items/0/type").asString()).isEqualTo("dir");
        }
    }

    // ACP-162
    @Test
    void changesInListedFoldersArePushed() throws Exception {
        Path inside = Files.createDirectories(work.resolve("watched"));
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat);
            chat.ask("list_dirwatched", ask("list_dir", id, "watched"));
            Files.writeString(inside.resolve("a.txt"), "1");
            assertThat(change(chat, "watched/a.txt")).isEqualTo("create");
            Files.writeString(inside.resolve("a.txt"), "2");
            assertThat(change(chat, "watched/a.txt")).isEqualTo("update");
            Files.move(inside.resolve("a.txt"), inside.resolve("b.txt"));
            assertThat(change(chat, "watched/b.txt")).isEqualTo("create");
            Files.delete(inside.resolve("b.txt"));
            assertThat(change(chat, "watched/b.txt")).isEqualTo("delete");
            Path many = Files.createDirectories(inside.resolve("many"));
            chat.ask("list_dirwatched/many", ask("list_dir", id, "watched/many"));
            for (int i = 0; i < 10_000; i++) {
                Files.createFile(many.resolve("f" + i));
            }
            Files.writeString(inside.resolve("last.txt"), "end");
            int overflows = 0;
            int named = 0;
            String last = "";
            while (!last.equals("watched/last.txt") || overflows == 0) {
                for (JsonNode one : chat.hear("file_changes").get("changes")) {
                    String path = one.get("path").asString();
                    if (path.equals("watched/many/")) {
                        assertThat(one.get("event").asString()).isEqualTo("overflow");
                        overflows++;
                    }
                    named += path.startsWith("watched/many/f") ? 1 : 0;
                    last = path.equals("watched/last.txt") ? path : last;
                }
            }
            // One, where the machine has nothing else to do; a pause ends a burst.
            assertThat(overflows).isLessThanOrEqualTo(5);
            // A busy machine makes them more slowly, so that more of them are named.
            assertThat(named).isLessThan(5000);
        }
    }

    // ACP-162: a path is watched, whichever folder has it by now
    @Test
    void aFolderMadeAnewIsWatchedAgain() throws Exception {
        Path place = Files.createDirectories(work.resolve("anew"));
        Path away = work.resolve("away");
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat);
            chat.ask("list_diranew", ask("list_dir", id, "anew"));
            Files.delete(place);
            assertThat(change(chat, "anew/")).as("look again").isEqualTo("overflow");
            Files.createDirectory(place);
            chat.ask("list_diranew", ask("list_dir", id, "anew"));
            Files.createFile(place.resolve("a"));
            assertThat(change(chat, "anew/a")).isEqualTo("create");
            Files.move(place, away);
            Files.createDirectory(place);
            Files.createFile(away.resolve("b"));
            assertThat(change(chat, "anew/")).as("it has another path").isEqualTo("overflow");
            chat.ask("list_diranew", ask("list_dir", id, "anew"));
            chat.ask("list_diraway", ask("list_dir", id, "away"));
            Files.createFile(away.resolve("c"));
            assertThat(change(chat, "away/c")).isEqualTo("create");
            Files.createFile(place.resolve("d"));
            assertThat(change(chat, "anew/d")).isEqualTo("create");
        }
    }

    // ACP-162: nothing falls between the listing and the news
    @Test
    void whatIsMadeDuringAListingIsInItOrInTheNews() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat);
            for (int i = 0; i < 100; i++) {
                String path = "race" + i;
                Path place = Files.createDirectories(work.resolve(path));
                chat.say(ask("list_dir", id, path));
                Files.createFile(place.resolve("x"));
                boolean answered = false;
                boolean seen = false;
                while (!answered || !seen) {
                    JsonNode one = chat.hear(m -> true, "the listing of " + path + ", and x");
                    answered |= one.path("id").asString("").equals("list_dir" + path);
                    seen |= one.path("items").valueStream().anyMatch(x -> named(x, path + "/x"));
                    seen |= one.path("changes").valueStream().anyMatch(x -> named(x, path + "/x"));
                }
            }
        }
    }

    private static boolean named(JsonNode item, String path) {
        return item.get("path").asString().equals(path);
    }

    private static String change(ChatSocket chat, String path) throws Exception {
        while (true) {
            for (JsonNode one : chat.hear("file_changes").get("changes")) {
                if (one.get("path").asString().equals(path)) {
                    return one.get("event").asString();
                }
            }
        }
    }
}
