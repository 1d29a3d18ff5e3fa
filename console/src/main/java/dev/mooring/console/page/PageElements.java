package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.console.html.Html.Element;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.explain.Actor;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Rank;
import dev.mooring.explain.Subject;
import dev.mooring.explain.Unseen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

final class PageElements {
  private PageElements() {}

  static Element table(String caption, List<String> headings, List<Element> rows) {
    return table("scroll cards", caption, headings, rows);
  }

  static Element matrix(String caption, List<String> headings, List<Element> rows) {
    return table("scroll", caption, headings, rows);
  }

  private static Element table(
      String styleClass, String caption, List<String> headings, List<Element> rows) {
    List<Html> cells = new ArrayList<>();
    headings.forEach(
        h -> cells.add(Html.of("th").with("scope", "col").with("role", "columnheader").add(h)));
    List<Html> labelled = new ArrayList<>();
    rows.forEach(row -> labelled.add(labelled(row, headings)));
    return Html.of("div", styleClass)
        .with("role", "region")
        .with("aria-label", caption)
        .with("tabindex", "0")
        .add(
            Html.of("table")
                .with("role", "table")
                .add(
                    Html.of("caption", "hidden").add(caption),
                    Html.of("thead")
                        .with("role", "rowgroup")
                        .add(Html.of("tr").with("role", "row").add(cells)),
                    Html.of("tbody").with("role", "rowgroup").add(labelled)));
  }

  /**
   * Labels the cells of a row, which becomes a card on a narrow screen. Explicit roles are
   * required: with CSS {@code display: block}, browsers drop the table semantics.
   */
  private static Html labelled(Element row, List<String> headings) {
    List<Html> cells = new ArrayList<>();
    for (int i = 0; i < row.children().size(); i++) {
      if (row.children().get(i) instanceof Element cell) {
        cells.add(
            cell.with("role", cell.name().equals("th") ? "rowheader" : "cell")
                .with("data-label", headings.get(i)));
      }
    }
    return Html.of("tr").with("role", "row").add(cells);
  }

  static Element cell(Html content) {
    return Html.of("td").add(content);
  }

  static Element cell(String content) {
    return Html.of("td").add(content);
  }

  static Element head(Html content) {
    return Html.of("th").with("scope", "row").add(content);
  }

  /**
   * Returns the code of a reason in the colour of its rank. The rank is also text, for screen
   * readers.
   */
  static Html reason(Explanation e) {
    return badge(e.cause().rank(), e.cause().code());
  }

  static Html badge(Rank rank, String code) {
    return Html.of("span", "badge " + rank.token())
        .with("title", words(rank))
        .add(Html.text(code), Html.of("span", "hidden").add(" (" + words(rank) + ")"));
  }

  static String words(Rank rank) {
    return switch (rank) {
      case MISCONFIGURED -> "needs a change by a person";
      case FAILING -> "failed, will be retried";
      case WAITING -> "waits for something else";
      case WORKING -> "in progress";
      case UNKNOWN -> "unknown";
      case FINE -> "nothing waits";
    };
  }

  static String by(Actor actor) {
    return actor == Actor.NOBODY ? "nobody" : actor.words();
  }

  static Html link(Subject subject) {
    Optional<ConsoleSection> section = ConsoleSection.of(subject.kind());
    return section.isEmpty()
        ? Html.text(subject.key().name())
        : Html.of("a").with("href", section.get().address(subject.key())).add(subject.key().name());
  }

  static String one(Subject subject) {
    return ConsoleSection.of(subject.kind()).map(ConsoleSection::one).orElse(subject.kind().kind());
  }

  static Html unseen(List<Unseen> unseen) {
    if (unseen.isEmpty()) {
      return Html.NOTHING;
    }
    List<Html> items = new ArrayList<>();
    for (Unseen one : unseen) {
      items.add(
          Html.of("li")
              .add(
                  Html.of("strong").add(one.kind().plural()),
                  Html.text(" (unknown: " + one.leavesOpen() + "): " + one.why())));
    }
    return Html.of("section", "panel unseen")
        .with("id", "unseen")
        .add(Html.of("h2").add("Unreadable kinds"), Html.of("ul").add(items));
  }

  static Element search(String address, List<Html> fields) {
    return Html.of("form", "search")
        .with("role", "search")
        .with("action", address)
        .with("method", "get")
        .add(fields)
        .add(Html.of("button").with("type", "submit").add("Search"));
  }

  static Html pager(String address, ListQuery query, int pages) {
    if (pages <= 1) {
      return Html.NOTHING;
    }
    IntFunction<String> at = page -> address + query.at(page).address();
    boolean before = query.page() > 1;
    boolean after = query.page() < pages;
    List<Html> items =
        List.of(
            turn("First", before, at.apply(1)),
            turn("Previous", before, at.apply(query.page() - 1)),
            Html.of("li").add("Page %,d of %,d".formatted(query.page(), pages)),
            turn("Next", after, at.apply(query.page() + 1)),
            turn("Last", after, at.apply(pages)));
    return Html.of("nav", "pager").with("aria-label", "Pages").add(Html.of("ul").add(items));
  }

  private static Html turn(String word, boolean there, String address) {
    return Html.of("li")
        .add(
            there
                ? Html.of("a").with("href", address).add(word)
                : Html.of("span", "off").add(word));
  }

  static Element field(String name, String label, String value) {
    return Html.of("label")
        .add(
            Html.of("span").add(label),
            Html.of("input")
                .with("type", "search")
                .with("name", name)
                .with("id", "field-" + name)
                .with("maxlength", "253")
                .with("autocomplete", "off")
                .with("spellcheck", "false")
                .with("value", value));
  }
}
