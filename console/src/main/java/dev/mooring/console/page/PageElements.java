package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

final class PageElements {
  private static final int MAX_UNBROKEN = 30;

  private PageElements() {}

  /** Head of a column; its title labels the cells on a narrow screen. */
  record TableHead(String title, Element html) {
    static TableHead of(String title) {
      return new TableHead(title, columnHead(HtmlNode.text(title)));
    }
  }

  static Element columnHead(HtmlNode content) {
    return HtmlNode.of("th").with("scope", "col").with("role", "columnheader").add(content);
  }

  static Element table(String caption, List<String> headings, List<Element> rows) {
    return headedTable("scroll cards", caption, plainHeads(headings), rows);
  }

  static Element sortableTable(String caption, SortableHeads heads, List<Element> rows) {
    return headedTable("scroll cards", caption, heads.list(), rows);
  }

  static Element matrix(String caption, List<String> headings, List<Element> rows) {
    return headedTable("scroll", caption, plainHeads(headings), rows);
  }

  private static List<TableHead> plainHeads(List<String> headings) {
    return headings.stream().map(TableHead::of).toList();
  }

  private static Element headedTable(
      String styleClass, String caption, List<TableHead> heads, List<Element> rows) {
    List<HtmlNode> labelledRows = new ArrayList<>();
    rows.forEach(row -> labelledRows.add(labelCells(row, heads)));
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
                        .add(
                            HtmlNode.of("tr")
                                .with("role", "row")
                                .add(heads.stream().map(TableHead::html).toList())),
                    HtmlNode.of("tbody").with("role", "rowgroup").add(labelledRows)));
  }

  /**
   * Labels the cells of a row, which becomes a card on a narrow screen. Explicit roles are
   * required: with CSS {@code display: block}, browsers drop the table semantics.
   */
  private static HtmlNode labelCells(Element row, List<TableHead> heads) {
    List<HtmlNode> cells = new ArrayList<>();
    for (int i = 0; i < row.children().size(); i++) {
      if (row.children().get(i) instanceof Element cell) {
        cells.add(
            cell.with("role", cell.name().equals("th") ? "rowheader" : "cell")
                .with("data-label", heads.get(i).title()));
      }
    }
    return row.with("role", "row").withChildren(cells);
  }

  // Returns an element whose content the page updates.
  static Element live(String id) {
    return HtmlNode.of("div").with("id", id).with("data-live", "");
  }

  static Element quiet(String text) {
    return HtmlNode.of("p", "quiet").add(text);
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

  static Element facts(List<NamedFact> facts) {
    return HtmlNode.of("dl", "facts")
        .add(facts.stream().map(f -> fact(f.name(), HtmlNode.text(f.value()))).toList());
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
        ? name(subject.key().name())
        : HtmlNode.of("a")
            .with("href", section.get().address(subject.key()))
            .add(name(subject.key().name()));
  }

  /**
   * Returns a name that a browser breaks after dots, slashes and underscores if it is long. A
   * browser breaks after hyphens anyway.
   */
  static HtmlNode name(String name) {
    if (name.length() <= MAX_UNBROKEN) {
      return HtmlNode.text(name);
    }
    List<HtmlNode> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < name.length() - 1; i++) {
      if ("./_".indexOf(name.charAt(i)) >= 0) {
        parts.add(HtmlNode.text(name.substring(start, i + 1)));
        parts.add(HtmlNode.of("wbr"));
        start = i + 1;
      }
    }
    parts.add(HtmlNode.text(name.substring(start)));
    return HtmlNode.all(parts);
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
}
