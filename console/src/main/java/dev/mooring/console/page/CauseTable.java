package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.explain.CauseSentence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.WaitingGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Waiting objects grouped by cause, as {@code mooring explain} groups them. */
final class CauseTable {
  private static final int MAX_ROWS = 25;

  private CauseTable() {}

  static HtmlNode of(List<WaitingGroup> groups, Instant now) {
    List<Element> rows = new ArrayList<>();
    for (WaitingGroup group : groups.subList(0, Math.min(MAX_ROWS, groups.size()))) {
      rows.add(
          PageElements.row(
              PageElements.head(PageElements.reason(group.first())),
              HtmlNode.of("td", "wide").add(description(group)),
              HtmlNode.of("td", "members").add(membersLink(group)),
              PageElements.cell(AgeElement.since(group.oldest(), now))));
    }
    Element table =
        PageElements.table(
            "Causes, the most urgent first", List.of("Reason", "Cause", "Waiting", "Oldest"), rows);
    return groups.size() <= MAX_ROWS
        ? table
        : HtmlNode.all(
            List.of(
                table,
                PageElements.quiet(
                    "%s more. "
                        .formatted(CountText.count(groups.size() - MAX_ROWS, "cause", "causes"))),
                HtmlNode.of("p")
                    .add(PageElements.link(WaitingPage.ADDRESS, "All waiting objects"))));
  }

  static HtmlNode description(WaitingGroup group) {
    Explanation first = group.first();
    List<HtmlNode> elements = new ArrayList<>();
    elements.add(
        HtmlNode.text(group.hasOneMessage() ? CauseSentence.of(first) : first.cause().meaning()));
    Explanation deepest = first.deepest();
    if (deepest != first) {
      elements.add(
          HtmlNode.of("span", "deeper")
              .add(
                  HtmlNode.text("← " + PageElements.kindName(deepest.subject()) + " "),
                  PageElements.link(deepest.subject()),
                  HtmlNode.text(": " + CauseSentence.ofLink(deepest))));
    }
    return HtmlNode.all(elements);
  }

  private static HtmlNode membersLink(WaitingGroup group) {
    Explanation first = group.first();
    return group.members().size() == 1
        ? PageElements.link(first.subject())
        : PageElements.link(
            address(group),
            ConsoleSection.of(first.subject().kind())
                .map(section -> CountText.count(group.members().size(), section))
                .orElse("%,d".formatted(group.members().size())));
  }

  static String address(WaitingGroup group) {
    return WaitingPage.ADDRESS + "?cause=" + group.token();
  }

  static Map<String, Object> tree(WaitingGroup group) {
    Explanation first = group.first();
    Explanation deepest = first.deepest();
    return JsonTrees.map(
        "kind", first.subject().kind().kind(),
        "code", first.cause().code(),
        "rank", first.cause().rank().token(),
        "count", group.members().size(),
        "oldest", AgeElement.timestamp(group.oldest()),
        "text", group.hasOneMessage() ? CauseSentence.of(first) : first.cause().meaning(),
        "deepest", deepest == first ? Map.of() : JsonTrees.summary(deepest),
        "cause", group.token());
  }
}
