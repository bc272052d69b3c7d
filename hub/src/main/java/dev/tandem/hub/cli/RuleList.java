package dev.tandem.hub.cli;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.ClientTokens;
import dev.tandem.hub.permission.PermissionRules;
import dev.tandem.hub.permission.Rule;
import dev.tandem.hub.sessions.Session;
import dev.tandem.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** What a person decided for good and can take back: stored rules, and act mode of programs. */
final class RuleList {
    private static final String ACT = "act:";

    private final PermissionRules rules;
    private final ClientTokens tokens;

    RuleList(PermissionRules rules, ClientTokens tokens) {
        this.rules = rules;
        this.tokens = tokens;
    }

    List<ObjectNode> all() {
        List<ObjectNode> list = new ArrayList<>();
        for (ClientTokens.Entry token : tokens.list()) {
            if (token.mode().equals(Caller.Mode.ACT.word())) {
                list.add(
                        line(ACT + token.name(), "act", token.name())
                                .put("what", "whatever is not sensitive")
                                .put("where", "sites you allowed it")
                                .put("since", token.createdAt()));
            }
        }
        rules.everyone().forEach(rule -> list.add(line(rule)));
        return list;
    }

    /**
     * What holds for one session: the rules of its project and of all, for every agent or for it.
     */
    List<ObjectNode> of(Session session) {
        return rules.list(session.projectId()).stream()
                .filter(rule -> List.of("*", session.id()).contains(rule.client()))
                .map(this::line)
                .toList();
    }

    /** Takes one back; a program in act mode asks from then on. False when there is no such one. */
    boolean forget(String id) {
        if (id.startsWith(ACT)) {
            return tokens.askFirst(id.substring(ACT.length()));
        }
        Optional<Rule> rule =
                rules.everyone().stream().filter(one -> one.id().equals(id)).findFirst();
        return rule.isPresent()
                && rules.remove(
                        rule.get().project(),
                        rule.get().tool(),
                        rule.get().origin(),
                        rule.get().client());
    }

    private ObjectNode line(Rule rule) {
        return line(rule.id(), decision(rule), who(rule.client()))
                .put("what", rule.tool())
                .put("where", rule.origin())
                .put("project", rule.project())
                .put("since", rule.updatedAt());
    }

    private static String decision(Rule rule) {
        return !rule.allow() ? "deny" : rule.accepted() ? "allow" : "waits for your yes";
    }

    private static ObjectNode line(String id, String decision, String who) {
        return Json.object().put("id", id).put("decision", decision).put("who", who);
    }

    private String who(String client) {
        if (client.equals("*")) {
            return "every agent";
        }
        return tokens.list().stream()
                .filter(token -> client.equals("client:" + token.id()))
                .map(ClientTokens.Entry::name)
                .findFirst()
                .orElse(client);
    }
}
