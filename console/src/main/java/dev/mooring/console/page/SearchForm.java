package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Form that filters a list. The script submits it while the user types. */
final class SearchForm {
  // A longer menu is slower to use than a text field.
  private static final int MAX_OPTIONS = 300;

  private final String address;
  private final ListQuery query;
  private final List<HtmlNode> fields = new ArrayList<>();

  SearchForm(String address, ListQuery query) {
    this.address = address;
    this.query = query;
    fields.add(textField("q", "Name contains", query.text()));
  }

  /**
   * Adds a menu of namespaces.
   *
   * @param namespaces in order
   */
  SearchForm withNamespaces(Collection<String> namespaces) {
    fields.add(
        namespaces.size() > MAX_OPTIONS
            ? textField("namespace", "Namespace", query.namespace())
            : menu(namespaces));
    return this;
  }

  private Element menu(Collection<String> namespaces) {
    List<HtmlNode> options = new ArrayList<>();
    options.add(option("", "All namespaces"));
    namespaces.forEach(namespace -> options.add(option(namespace, namespace)));
    if (!query.namespace().isEmpty() && !namespaces.contains(query.namespace())) {
      options.add(option(query.namespace(), query.namespace()));
    }
    return HtmlNode.of("label")
        .add(
            HtmlNode.of("span").add("Namespace"),
            HtmlNode.of("select")
                .with("name", "namespace")
                .with("id", "field-namespace")
                .add(options));
  }

  private Element option(String value, String text) {
    Element option = HtmlNode.of("option").with("value", value).add(text);
    return query.namespace().equals(value) ? option.with("selected", "") : option;
  }

  SearchForm withWaitingBox() {
    Element box =
        HtmlNode.of("input").with("type", "checkbox").with("name", "waiting").with("value", "1");
    fields.add(
        HtmlNode.of("label", "check")
            .add(
                query.isWaitingOnly() ? box.with("checked", "") : box,
                HtmlNode.of("span").add("Waiting only")));
    return this;
  }

  SearchForm withReason(boolean isAlwaysShown) {
    if (isAlwaysShown || !query.reason().isEmpty()) {
      fields.add(textField("reason", "Reason", query.reason()));
    }
    return this;
  }

  Element html() {
    List<HtmlNode> all = new ArrayList<>(fields);
    addHidden(all, "cause", query.cause());
    addHidden(all, "sort", query.sort());
    return HtmlNode.of("form", "search")
        .with("role", "search")
        .with("action", address)
        .with("method", "get")
        .add(all)
        .add(HtmlNode.of("button").with("type", "submit").add("Search"));
  }

  private static void addHidden(List<HtmlNode> nodes, String name, String value) {
    if (!value.isEmpty()) {
      nodes.add(
          HtmlNode.of("input").with("type", "hidden").with("name", name).with("value", value));
    }
  }

  private static Element textField(String name, String label, String value) {
    return HtmlNode.of("label")
        .add(
            HtmlNode.of("span").add(label),
            HtmlNode.of("input")
                .with("type", "search")
                .with("name", name)
                .with("id", "field-" + name)
                .with("maxlength", "253")
                .with("autocomplete", "off")
                .with("spellcheck", "false")
                .with("value", value));
  }

  static HtmlNode noMatch(String address, ListQuery query, String emptyText) {
    return query.isFiltered()
        ? HtmlNode.of("p", "empty")
            .add(HtmlNode.text("No match. "), PageElements.link(address, "Clear filter"))
        : HtmlNode.of("p", "empty").add(emptyText);
  }
}
