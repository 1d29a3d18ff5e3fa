package dev.mooring.console.html;

import dev.mooring.text.PlainText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A piece of a page. There is no way to put markup in but by elements: text and the values of
 * attributes are escaped when they are written, here and nowhere else, whoever wrote them.
 */
public sealed interface Html {
  /**
   * Text.
   *
   * @param text as it is, not escaped
   */
  record Text(String text) implements Html {}

  /**
   * Several pieces, one after another.
   *
   * @param parts them
   */
  record All(List<Html> parts) implements Html {
    public All {
      parts = List.copyOf(parts);
    }
  }

  /**
   * An element.
   *
   * @param name its name, in lower case
   * @param attributes in their order; a value of "" is written as one
   * @param children what is in it
   */
  record Element(String name, Map<String, String> attributes, List<Html> children) implements Html {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");
    private static final Set<String> ADDRESSES = Set.of("href", "src", "action");
    private static final Pattern OWN = Pattern.compile("(/(?!/)|#).*", Pattern.DOTALL);

    /**
     * Checked.
     *
     * @throws IllegalArgumentException if a name is none, an attribute would be a script or a
     *     style, or an address leads elsewhere
     */
    public Element {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException("no element is called " + name);
      }
      attributes.forEach(Element::check);
      children = List.copyOf(children);
    }

    private static void check(String attribute, String value) {
      if (!NAME.matcher(attribute).matches()
          || attribute.startsWith("on")
          || attribute.equals("style")) {
        throw new IllegalArgumentException("pages have no attribute " + attribute);
      }
      if (ADDRESSES.contains(attribute) && !OWN.matcher(value).matches()) {
        throw new IllegalArgumentException("pages do not lead to " + value);
      }
    }

    /** The same with one more attribute. */
    public Element with(String attribute, String value) {
      Map<String, String> more = new LinkedHashMap<>(attributes);
      more.put(attribute, value);
      return new Element(name, more, children);
    }

    public Element add(Html... more) {
      return add(Arrays.asList(more));
    }

    public Element add(List<? extends Html> more) {
      List<Html> all = new ArrayList<>(children);
      all.addAll(more);
      return new Element(name, attributes, all);
    }

    public Element add(String text) {
      return add(new Text(text));
    }
  }

  Html NOTHING = new All(List.of());

  Set<String> VOID = Set.of("meta", "link", "input", "br", "hr");

  /** An element with nothing in it yet. */
  static Element of(String name) {
    return new Element(name, Map.of(), List.of());
  }

  static Element of(String name, String styleClass) {
    return new Element(name, Map.of("class", styleClass), List.of());
  }

  static Html text(String text) {
    return new Text(text);
  }

  static Html all(List<? extends Html> parts) {
    return new All(List.copyOf(parts));
  }

  /** As it is sent: the document with that root. */
  static String document(Element root) {
    StringBuilder out = new StringBuilder(1 << 14).append("<!doctype html>\n");
    write(root, out);
    return out.append('\n').toString();
  }

  private static void write(Html piece, StringBuilder out) {
    switch (piece) {
      case Text(String text) -> escape(text, out);
      case All(List<Html> parts) -> parts.forEach(part -> write(part, out));
      case Element element -> write(element, out);
    }
  }

  private static void write(Element element, StringBuilder out) {
    out.append('<').append(element.name());
    element
        .attributes()
        .forEach((attribute, value) -> {
          out.append(' ').append(attribute).append("=\"");
          escape(value, out);
          out.append('"');
        });
    out.append('>');
    element.children().forEach(child -> write(child, out));
    if (!VOID.contains(element.name())) {
      out.append("</").append(element.name()).append('>');
    }
  }

  /** Control characters, and those that turn the direction of what follows, are shown as such. */
  private static void escape(String text, StringBuilder out) {
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '&' -> out.append("&amp;");
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '"' -> out.append("&quot;");
            case '\'' -> out.append("&#39;");
            case '\n', '\t' -> out.append(' ');
            default -> out.appendCodePoint(PlainText.isShown(c) ? c : 0xfffd);
          }
        });
  }
}
