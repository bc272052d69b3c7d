package dev.tandem.hub.export;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** A page or element as a React component in TSX, with the CSS it imports. */
public record Component(String source, String css, List<String> warnings) {
    private static final Set<String> DROPPED =
            Set.of(
                    "script",
                    "style",
                    "iframe",
                    "object",
                    "embed",
                    "applet",
                    "base",
                    "link",
                    "meta",
                    "frame",
                    "frameset",
                    "noscript",
                    "foreignobject",
                    "template");
    private static final Set<String> FLAGS =
            Set.of("disabled", "multiple", "open", "reversed", "selected", "readonly", "required");
    private static final Map<String, String> NAMES =
            Map.ofEntries(
                    Map.entry("class", "className"),
                    Map.entry("for", "htmlFor"),
                    Map.entry("colspan", "colSpan"),
                    Map.entry("rowspan", "rowSpan"),
                    Map.entry("datetime", "dateTime"),
                    Map.entry("checked", "defaultChecked"),
                    Map.entry("readonly", "readOnly"),
                    Map.entry("viewbox", "viewBox"));
    private static final Set<String> NUMBERS =
            Set.of("colspan", "rowspan", "rows", "cols", "size", "start");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final Set<String> ADDRESSES = Set.of("href", "src", "poster");
    private static final Pattern SAFE_ADDRESS =
            Pattern.compile("(?is)^(https?:|mailto:|tel:|#|data:image/|blob:).*");
    private static final Pattern UNSAFE_CSS =
            Pattern.compile("(?i)expression\\s*\\(|-moz-binding|behavior\\s*:|@import|</style");

    /** Makes the component of well-formed markup and the rules for its classes. */
    public static Component from(String markup, String css) {
        List<String> warnings = new ArrayList<>();
        StringBuilder jsx = new StringBuilder();
        try {
            new Emitter(jsx, warnings).emit(markup);
        } catch (XMLStreamException e) {
            throw new IllegalArgumentException("The captured markup is not well formed.", e);
        }
        String source =
                "import './tandem.css';\n\nexport function TandemComponent() {\n  return (\n"
                        + "    <div className=\"tandem-root\">"
                        + jsx
                        + "</div>\n  );\n}\n";
        return new Component(source, safeCss(css, warnings), List.copyOf(warnings));
    }

    private static String safeCss(String css, List<String> warnings) {
        List<String> kept = new ArrayList<>();
        for (String rule : css.split("\n", -1)) {
            if (UNSAFE_CSS.matcher(rule).find()) {
                warnings.add("A style rule that could run or load something was left out.");
            } else {
                kept.add(rule);
            }
        }
        return String.join("\n", kept);
    }

    /** Writes one element after the other, leaving out what could run. */
    private record Emitter(StringBuilder out, List<String> warnings) {

        void emit(String markup) throws XMLStreamException {
            XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
            factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(markup));
            int skipping = 0;
            List<Boolean> empties = new ArrayList<>();
            while (reader.hasNext()) {
                switch (reader.next()) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        String tag = reader.getLocalName();
                        if (skipping > 0 || DROPPED.contains(tag.toLowerCase(Locale.ROOT))) {
                            skipping++;
                        } else if (tag.equals("textarea")) {
                            textarea(reader);
                        } else {
                            empties.add(start(reader, tag));
                        }
                    }
                    case XMLStreamConstants.END_ELEMENT -> {
                        if (skipping > 0) {
                            skipping--;
                        } else if (!empties.removeLast()) {
                            out.append("</").append(reader.getLocalName()).append('>');
                        }
                    }
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                        if (skipping == 0) {
                            text(reader.getText());
                        }
                    }
                    default -> {
                        // comments and instructions are not part of a component
                    }
                }
            }
        }

        /** React takes what is entered as an attribute, and no two children there. */
        private void textarea(XMLStreamReader reader) throws XMLStreamException {
            open(reader, "textarea");
            String entered = reader.getElementText();
            if (!entered.isEmpty()) {
                out.append(" defaultValue=\"").append(quoted(entered)).append('"');
            }
            out.append(" />");
        }

        private void open(XMLStreamReader reader, String tag) {
            out.append('<').append(tag);
            for (int i = 0; i < reader.getAttributeCount(); i++) {
                attribute(tag, reader.getAttributeLocalName(i), reader.getAttributeValue(i));
            }
        }

        /** True when the element was closed at once. */
        private boolean start(XMLStreamReader reader, String tag) {
            open(reader, tag);
            boolean empty = VOID.contains(tag);
            out.append(empty ? " />" : ">");
            return empty;
        }

        private void attribute(String tag, String name, String value) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.startsWith("on") || lower.equals("srcdoc") || lower.equals("srcset")) {
                warnings.add("A handler was left out.");
                return;
            }
            if (ADDRESSES.contains(lower) && !SAFE_ADDRESS.matcher(value.strip()).matches()) {
                warnings.add("An address that could run something was left out.");
                return;
            }
            if (lower.equals("style")) {
                out.append(" style={{").append(styles(value)).append("}}");
                return;
            }
            if (NUMBERS.contains(lower) || (lower.equals("value") && tag.equals("li"))) {
                number(NAMES.getOrDefault(lower, name), value.strip());
                return;
            }
            boolean entered = lower.equals("value") && tag.equals("input");
            out.append(' ').append(entered ? "defaultValue" : NAMES.getOrDefault(lower, name));
            if (FLAGS.contains(lower) || lower.equals("checked")) {
                return;
            }
            out.append("=\"").append(quoted(value)).append('"');
        }

        private void number(String name, String value) {
            if (NUMBER.matcher(value).matches()) {
                out.append(' ').append(name).append("={").append(value).append('}');
            }
        }

        private static String styles(String css) {
            List<String> parts = new ArrayList<>();
            for (String declaration : css.split(";", -1)) {
                int colon = declaration.indexOf(':');
                if (colon > 0 && !UNSAFE_CSS.matcher(declaration).find()) {
                    String name = declaration.substring(0, colon).strip();
                    String value = declaration.substring(colon + 1).strip();
                    parts.add("'" + camel(name) + "': '" + value.replaceAll("['\\\\]", "") + "'");
                }
            }
            return String.join(", ", parts);
        }

        private static String camel(String name) {
            StringBuilder camel = new StringBuilder();
            boolean up = false;
            for (int i = 0; i < name.length(); i++) {
                char c = name.charAt(i);
                if (c == '-') {
                    up = true;
                } else {
                    camel.append(up ? Character.toUpperCase(c) : c);
                    up = false;
                }
            }
            return camel.toString();
        }

        private void text(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                switch (c) {
                    case '{' -> out.append("{'{'}");
                    case '}' -> out.append("{'}'}");
                    case '<' -> out.append("&lt;");
                    case '>' -> out.append("&gt;");
                    case '&' -> out.append("&amp;");
                    case '\n' -> out.append("{'\\n'}");
                    default -> out.append(c);
                }
            }
        }

        private static String quoted(String value) {
            return value.replace("&", "&amp;")
                    .replace("\"", "&quot;")
                    .replace("<", "&lt;")
                    .replace("\n", "&#10;");
        }

        private static final Set<String> VOID =
                Set.of("area", "br", "col", "hr", "img", "input", "wbr");
    }
}
