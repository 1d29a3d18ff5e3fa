package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
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
    List<HtmlNode> cells = new ArrayList<>();
    headings.forEach(
        h -> cells.add(HtmlNode.of("th").with("scope", "col").with("role", "columnheader").add(h)));
    List<HtmlNode> labelledRows = new ArrayList<>();
    rows.forEach(row -> labelledRows.add(labelCells(row, headings)));
    return HtmlNode.of("div", styleClass)
        .with("role", "region")
        .with("aria-label", caption)
        .with("tabindex", "0")
        .add(
            HtmlNode.of("table")
                .with("role", "table")
                .add(
                    HtmlNode.of("caption", "hidden").add(caption),
                    HtmlNode.of("thead")
                        .with("role", "rowgroup")
                        .add(HtmlNode.of("tr").with("role", "row").add(cells)),
                    HtmlNode.of("tbody").with("role", "rowgroup").add(labelledRows)));
  }

  /**
   * Labels the cells of a row, which becomes a card on a narrow screen. Explicit roles are
   * required: with CSS {@code display: block}, browsers drop the table semantics.
   */
  private static HtmlNode labelCells(Element row, List<String> headings) {
    List<HtmlNode> cells = new ArrayList<>();
    for (int i = 0; i < row.children().size(); i++) {
      if (row.children().get(i) instanceof Element cell) {
        cells.add(
            cell.with("role", cell.name().equals("th") ? "rowheader" : "cell")
                .with("data-label", headings.get(i)));
      }
    }
    return HtmlNode.of("tr").with("role", "row").add(cells);
  }

  static Element cell(HtmlNode content) {
    return HtmlNode.of("td").add(content);
  }

  static Element cell(String content) {
    return HtmlNode.of("td").add(content);
  }

  static Element wideCell(String content) {
    return HtmlNode.of("td", "wide").add(content);
  }

  static Element amountCell(long number) {
    return HtmlNode.of("td", "amount").add("%,d".formatted(number));
  }

  static Element row(HtmlNode... cells) {
    return HtmlNode.of("tr").add(cells);
  }

  static Element link(String address, String text) {
    return HtmlNode.of("a").with("href", address).add(text);
  }

  static Element fact(String name, HtmlNode value) {
    return HtmlNode.of("div").add(HtmlNode.of("dt").add(name), HtmlNode.of("dd").add(value));
  }

  /** Returns a titled part of a page; its id is also the prefix of the title's. */
  static Element panel(String id, String title, HtmlNode content) {
    return HtmlNode.of("section", "panel")
        .with("id", id)
        .with("aria-labelledby", id + "-title")
        .add(HtmlNode.of("h2").with("id", id + "-title").add(title), content);
  }

  static Element head(HtmlNode content) {
    return HtmlNode.of("th").with("scope", "row").add(content);
  }

  /**
   * Returns the code of a reason in the colour of its rank. The rank is also text, for screen
   * readers.
   */
  static HtmlNode reason(Explanation e) {
    return badge(e.cause().rank(), e.cause().code());
  }

  static HtmlNode badge(CauseRank rank, String code) {
    return HtmlNode.of("span", "badge " + rank.token())
        .with("title", describe(rank))
        .add(HtmlNode.text(code), HtmlNode.of("span", "hidden").add(" (" + describe(rank) + ")"));
  }

  static String describe(CauseRank rank) {
    return switch (rank) {
      case MISCONFIGURED -> "needs a change by a person";
      case FAILING -> "failed, will be retried";
      case WAITING -> "waits for something else";
      case WORKING -> "in progress";
      case UNKNOWN -> "unknown";
      case FINE -> "nothing waits";
    };
  }

  static HtmlNode link(SubjectRef subject) {
    Optional<ConsoleSection> section = ConsoleSection.of(subject.kind());
    return section.isEmpty()
        ? HtmlNode.text(subject.key().name())
        : HtmlNode.of("a")
            .with("href", section.get().address(subject.key()))
            .add(subject.key().name());
  }

  static String kindName(SubjectRef subject) {
    return ConsoleSection.of(subject.kind())
        .map(ConsoleSection::singular)
        .orElse(subject.kind().kind());
  }

  static HtmlNode unseen(List<UnreadableKind> unseen) {
    if (unseen.isEmpty()) {
      return HtmlNode.NOTHING;
    }
    List<HtmlNode> items = new ArrayList<>();
    for (UnreadableKind kind : unseen) {
      items.add(
          HtmlNode.of("li")
              .add(
                  HtmlNode.of("strong").add(kind.kind().plural()),
                  HtmlNode.text(" (unknown: " + kind.openQuestion() + "): " + kind.error())));
    }
    return HtmlNode.of("section", "panel unseen")
        .with("id", "unseen")
        .add(HtmlNode.of("h2").add("Unreadable kinds"), HtmlNode.of("ul").add(items));
  }

  static Element search(String address, List<HtmlNode> fields) {
    return HtmlNode.of("form", "search")
        .with("role", "search")
        .with("action", address)
        .with("method", "get")
        .add(fields)
        .add(HtmlNode.of("button").with("type", "submit").add("Search"));
  }

  static HtmlNode pager(String address, ListQuery query, int pages) {
    if (pages <= 1) {
      return HtmlNode.NOTHING;
    }
    IntFunction<String> addressOf = page -> address + query.atPage(page).address();
    boolean hasPrevious = query.page() > 1;
    boolean hasNext = query.page() < pages;
    List<HtmlNode> items =
        List.of(
            pagerLink("First", hasPrevious, addressOf.apply(1)),
            pagerLink("Previous", hasPrevious, addressOf.apply(query.page() - 1)),
            HtmlNode.of("li").add("Page %,d of %,d".formatted(query.page(), pages)),
            pagerLink("Next", hasNext, addressOf.apply(query.page() + 1)),
            pagerLink("Last", hasNext, addressOf.apply(pages)));
    return HtmlNode.of("nav", "pager")
        .with("aria-label", "Pages")
        .add(HtmlNode.of("ul").add(items));
  }

  private static HtmlNode pagerLink(String label, boolean isEnabled, String address) {
    return HtmlNode.of("li")
        .add(isEnabled ? link(address, label) : HtmlNode.of("span", "off").add(label));
  }

  static Element field(String name, String label, String value) {
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
}
