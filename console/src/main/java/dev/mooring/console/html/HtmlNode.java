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
 * Node of an HTML document. Markup is created only from elements. Rendering escapes all text and
 * attribute values, so data from the cluster cannot inject markup.
 */
public sealed interface HtmlNode {
  record Text(String text) implements HtmlNode {}

  record All(List<HtmlNode> nodes) implements HtmlNode {
    public All {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * @param name lower-case tag name
   * @param attributes in order; a value of "" is written without a value
   */
  record Element(String name, Map<String, String> attributes, List<HtmlNode> children)
      implements HtmlNode {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");
    private static final Set<String> SVG_ATTRIBUTES = Set.of("viewBox", "preserveAspectRatio");
    private static final Set<String> ADDRESSES = Set.of("href", "src", "action");
    private static final Pattern OWN_ADDRESS = Pattern.compile("(/(?!/)|#).*", Pattern.DOTALL);

    /**
     * Validates names and addresses.
     *
     * @throws IllegalArgumentException if a name is invalid, an attribute is a script or a style,
     *     or an address is external
     */
    public Element {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException("invalid element name " + name);
      }
      attributes.forEach(Element::check);
      children = List.copyOf(children);
    }

    private static void check(String attribute, String value) {
      boolean hasValidName =
          NAME.matcher(attribute).matches() || SVG_ATTRIBUTES.contains(attribute);
      if (!hasValidName || attribute.startsWith("on") || attribute.equals("style")) {
        throw new IllegalArgumentException("forbidden attribute " + attribute);
      }
      if (ADDRESSES.contains(attribute) && !OWN_ADDRESS.matcher(value).matches()) {
        throw new IllegalArgumentException("forbidden address " + value);
      }
    }

    public Element with(String attribute, String value) {
      Map<String, String> newAttributes = new LinkedHashMap<>(attributes);
      newAttributes.put(attribute, value);
      return new Element(name, newAttributes, children);
    }

    public Element withChildren(List<? extends HtmlNode> newChildren) {
      return new Element(name, attributes, List.copyOf(newChildren));
    }

    public Element add(HtmlNode... nodes) {
      return add(Arrays.asList(nodes));
    }

    public Element add(List<? extends HtmlNode> nodes) {
      List<HtmlNode> newChildren = new ArrayList<>(children);
      newChildren.addAll(nodes);
      return new Element(name, attributes, newChildren);
    }

    public Element add(String text) {
      return add(new Text(text));
    }
  }

  HtmlNode NOTHING = new All(List.of());

  Set<String> VOID = Set.of("meta", "link", "input", "br", "hr", "wbr");

  static Element of(String name) {
    return new Element(name, Map.of(), List.of());
  }

  static Element of(String name, String styleClass) {
    return new Element(name, Map.of("class", styleClass), List.of());
  }

  static HtmlNode text(String text) {
    return new Text(text);
  }

  static HtmlNode all(List<? extends HtmlNode> nodes) {
    return new All(List.copyOf(nodes));
  }

  static String document(Element root) {
    StringBuilder out = new StringBuilder(1 << 14).append("<!doctype html>\n");
    write(root, out);
    return out.append('\n').toString();
  }

  private static void write(HtmlNode node, StringBuilder out) {
    switch (node) {
      case Text(String text) -> escape(text, out);
      case All(List<HtmlNode> nodes) -> nodes.forEach(child -> write(child, out));
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

  // Escapes markup, control characters and bidirectional overrides.
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
            default -> out.appendCodePoint(PlainText.isVisible(c) ? c : 0xfffd);
          }
        });
  }
}
