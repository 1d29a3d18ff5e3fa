package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.WaitingSnapshot;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.UnreadableKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Waiting objects of all kinds, the most urgent first, then the oldest; fifty per page.
 *
 * @param total total number of explanations
 * @param slice the requested page
 * @param unseen what cannot be read
 */
public record WaitingPage(
    int total, ResultSlice<Explanation> slice, List<UnreadableKind> unseen, Instant now)
    implements ConsolePage {
  static final String ADDRESS = ConsoleSection.ROOT + "waiting";

  public static WaitingPage of(ListQuery query, WaitingSnapshot waiting) {
    List<Explanation> explanations = waiting.sortedExplanations();
    List<Explanation> matches =
        explanations.stream()
            .filter(e -> query.isInNamespace(e.subject().key()) && query.hasReason(List.of(e)))
            .filter(e -> query.hasText(e.subject().key().toString()))
            .toList();
    return new WaitingPage(
        explanations.size(), ResultSlice.of(query, matches), waiting.unseen(), waiting.time());
  }

  @Override
  public String title() {
    return "Waiting objects";
  }

  @Override
  public String json() {
    return ADDRESS + ".json" + slice.query().address();
  }

  @Override
  public String entry() {
    return ADDRESS;
  }

  @Override
  public HtmlNode body() {
    return HtmlNode.all(
        List.of(
            PageElements.search(
                ADDRESS,
                List.of(
                    PageElements.field("q", "Name contains", slice.query().text()),
                    PageElements.field("namespace", "Namespace", slice.query().namespace()),
                    PageElements.field("reason", "Reason", slice.query().reason()))),
            HtmlNode.of("div")
                .with("id", "list")
                .with("data-live", "")
                .add(
                    HtmlNode.of("p", "count")
                        .add(
                            slice.total() == total
                                ? "%,d waiting".formatted(total)
                                : "%,d of %,d waiting".formatted(slice.total(), total)),
                    slice.rows().isEmpty()
                        ? HtmlNode.NOTHING
                        : table("Waiting objects", slice.rows(), now),
                    PageElements.pager(ADDRESS, slice.query(), slice.pages()),
                    PageElements.unseen(unseen))));
  }

  static HtmlNode table(String caption, List<Explanation> rows, Instant now) {
    List<Element> elements = new ArrayList<>();
    for (Explanation e : rows) {
      elements.add(
          PageElements.row(
              PageElements.head(PageElements.link(e.subject())),
              PageElements.cell(PageElements.kindName(e.subject())),
              PageElements.cell(e.subject().key().namespace()),
              PageElements.cell(AgeElement.since(e.stateSince(), now)),
              PageElements.cell(PageElements.reason(e)),
              PageElements.wideCell(e.message())));
    }
    return PageElements.table(
        caption, List.of("Name", "Kind", "Namespace", "For", "Because", "That is"), elements);
  }

  @Override
  public Map<String, Object> tree() {
    return JsonTrees.map(
        "apiVersion", JsonTrees.VERSION,
        "kind", "ConsoleWaiting",
        "total", total,
        "found", slice.total(),
        "page", slice.query().page(),
        "pages", slice.pages(),
        "items", slice.rows().stream().map(JsonTrees::summary).toList(),
        "unseen", JsonTrees.unseen(unseen));
  }
}
