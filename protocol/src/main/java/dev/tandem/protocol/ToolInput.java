package dev.tandem.protocol;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The arguments of a tool: what they are, what else they may be called, and who may give them. */
public final class ToolInput {
    private static final Set<String> NOT_LISTED = Set.of("minLength", "additionalProperties");

    private final ObjectNode schema;
    private final ObjectNode listed;
    private final Schema compiled;
    private final Map<String, String> aliases;
    private final Map<String, String> flags;
    private final Map<String, String> help = new LinkedHashMap<>();
    private final Set<String> commas;
    private final Set<String> userOnly;
    private final Optional<String> missing;

    ToolInput(ObjectNode definition, ObjectNode common, Set<Tool.Trait> traits) {
        schema = complete(definition, common.path("input"), traits);
        compiled = Schema.of(schema);
        aliases = words(definition.path("argumentAliases"));
        flags = words(definition.path("cliFlags"));
        commas = Set.copyOf(Json.texts(definition, "cliCommas"));
        userOnly = Set.copyOf(Json.texts(definition, "userOnly"));
        missing = Json.text(definition, "missing");
        Set<String> hidden = new LinkedHashSet<>(userOnly);
        hidden.addAll(Json.texts(definition, "unlisted"));
        listed = lean(definition, Json.texts(common, "listed"), hidden);
        String tool = definition.path("name").asString("");
        for (String name : schema.path("properties").propertyNames()) {
            help.put(name, explain(tool, name, common.path("help")));
        }
    }

    /** The definition's own words, else those for this tool, else those for any. */
    private String explain(String tool, String name, JsonNode texts) {
        return Json.text(schema.path("properties").path(name), "description")
                .or(() -> Json.text(texts, tool + "." + name))
                .or(() -> Json.text(texts, name))
                .orElse("");
    }

    /** What an argument is, for people. */
    public String about(String argument) {
        return help.getOrDefault(argument, "");
    }

    /** Whether the flag of a list takes several values between commas. */
    public boolean commas(String argument) {
        return commas.contains(argument);
    }

    /** The complete schema. */
    public ObjectNode schema() {
        return schema.deepCopy();
    }

    /** The schema that MCP hands out. */
    public ObjectNode listed() {
        return listed.deepCopy();
    }

    public List<String> required() {
        return Json.texts(schema, "required");
    }

    /** The first required argument, which the command line takes without its flag. */
    public Optional<String> positional() {
        return required().stream().findFirst();
    }

    /**
     * The command-line flag of an argument, without dashes: {@code startUrl} is {@code start-url}.
     */
    public String flag(String argument) {
        String other = flags.get(argument);
        return other != null ? other : kebab(argument);
    }

    /** A name of the wire as the command line writes it. */
    public static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /**
     * Arguments that name programs, profiles or endpoints: refused unless the user's own shell
     * gives them.
     */
    public Set<String> userOnly() {
        return userOnly;
    }

    /**
     * Checks arguments and returns a copy under the canonical names; fails with {@code
     * invalid_request}.
     */
    public ObjectNode read(JsonNode given) {
        if (!(given instanceof ObjectNode object)) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST, "The arguments must be an object", "wrong_type");
        }
        ObjectNode arguments = canonical(object.deepCopy());
        compiled.check(arguments).ifPresent(this::refuse);
        return arguments;
    }

    /**
     * Fails with {@code invalid_request} when one of them may only come from the user's own shell.
     */
    public void refuseUserOnly(JsonNode arguments) {
        for (String name : arguments.propertyNames()) {
            if (userOnly.contains(name)) {
                String text = name + " can only be given from the user's own shell";
                throw new TandemException(ErrorCode.INVALID_REQUEST, text, "not_allowed_here")
                        .with("argument", name);
            }
        }
    }

    private void refuse(Schema.Problem problem) {
        boolean own = problem.reason().equals("missing_field") && problem.path().indexOf('.') < 0;
        String text = own ? missing.orElse(problem.message()) : problem.message();
        throw new TandemException(ErrorCode.INVALID_REQUEST, text, problem.reason())
                .with("argument", problem.path());
    }

    /**
     * Moves aliases ({@code mode}, {@code from.x}) to their canonical names; a canonical name given
     * as well wins.
     */
    private ObjectNode canonical(ObjectNode arguments) {
        for (Map.Entry<String, String> alias : aliases.entrySet()) {
            String[] path = alias.getKey().split("\\.", 2);
            JsonNode holder = path.length == 1 ? arguments : arguments.path(path[0]);
            if (holder instanceof ObjectNode object && object.has(path[path.length - 1])) {
                JsonNode value = object.remove(path[path.length - 1]);
                arguments.putIfAbsent(alias.getValue(), value);
                if (path.length == 2 && object.isEmpty()) {
                    arguments.remove(path[0]);
                }
            }
        }
        return arguments;
    }

    private static ObjectNode complete(
            ObjectNode definition, JsonNode common, Set<Tool.Trait> traits) {
        ObjectNode schema = ((ObjectNode) definition.get("input")).deepCopy();
        ObjectNode properties = (ObjectNode) schema.get("properties");
        common.path("every")
                .properties()
                .forEach(entry -> properties.putIfAbsent(entry.getKey(), entry.getValue()));
        for (Tool.Trait trait : traits) {
            common.path(trait.json())
                    .properties()
                    .forEach(entry -> properties.putIfAbsent(entry.getKey(), entry.getValue()));
        }
        return schema;
    }

    private ObjectNode lean(ObjectNode definition, List<String> commonListed, Set<String> hidden) {
        ObjectNode out = Json.object().put("type", "object");
        ObjectNode properties = out.putObject("properties");
        JsonNode own = definition.path("input").path("properties");
        for (Map.Entry<String, JsonNode> property : own.properties()) {
            if (!hidden.contains(property.getKey())) {
                properties.set(property.getKey(), lean(property.getValue()));
            }
        }
        for (String name : commonListed) {
            JsonNode property = schema.path("properties").path(name);
            if (!own.has(name) && property.isObject()) {
                properties.putObject(name).set("type", property.get("type"));
            }
        }
        if (schema.has("required")) {
            out.set("required", schema.get("required"));
        }
        return out;
    }

    /**
     * Leaves out what tells a model nothing: empty-string checks, closedness and defaults of false.
     */
    private static JsonNode lean(JsonNode node) {
        if (node instanceof ArrayNode array) {
            ArrayNode out = Json.array();
            array.forEach(item -> out.add(lean(item)));
            return out;
        }
        if (!(node instanceof ObjectNode object)) {
            return node;
        }
        ObjectNode out = Json.object();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            boolean idle =
                    entry.getKey().equals("default")
                            && entry.getValue().isBoolean()
                            && !entry.getValue().asBoolean();
            if (!idle && !NOT_LISTED.contains(entry.getKey())) {
                out.set(entry.getKey(), lean(entry.getValue()));
            }
        }
        return out;
    }

    private static Map<String, String> words(JsonNode node) {
        Map<String, String> words = new LinkedHashMap<>();
        node.properties().forEach(entry -> words.put(entry.getKey(), entry.getValue().asString()));
        return words;
    }
}
