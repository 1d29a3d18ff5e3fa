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
 * @param all total number of explanations
 * @param slice the requested page
 * @param unseen what cannot be read
 */
public record WaitingPage(
    int all, ResultSlice<Explanation> slice, List<UnreadableKind> unseen, Instant now)
    implements ConsolePage {
  static final String ADDRESS = ConsoleSection.ROOT + "waiting";

  public static WaitingPage of(ListQuery query, WaitingSnapshot waiting) {
    List<Explanation> all = waiting.inOrder();
    List<Explanation> found =
        all.stream()
            .filter(e -> query.isIn(e.subject().key()) && query.wants(List.of(e)))
            .filter(e -> query.finds(e.subject().key().toString()))
            .toList();
    return new WaitingPage(
        all.size(), ResultSlice.of(query, found), waiting.unseen(), waiting.at());
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
                            slice.found() == all
                                ? "%,d waiting".formatted(all)
                                : "%,d of %,d waiting".formatted(slice.found(), all)),
                    slice.rows().isEmpty()
                        ? HtmlNode.NOTHING
                        : table("Waiting objects", slice.rows(), now),
                    PageElements.pager(ADDRESS, slice.query(), slice.pages()),
                    PageElements.unseen(unseen))));
  }

  static HtmlNode table(String caption, List<Explanation> rows, Instant now) {
    List<Element> all = new ArrayList<>();
    for (Explanation e : rows) {
      all.add(
          PageElements.row(
              PageElements.head(PageElements.link(e.subject())),
              PageElements.cell(PageElements.one(e.subject())),
              PageElements.cell(e.subject().key().namespace()),
              PageElements.cell(AgeElement.since(e.since(), now)),
              PageElements.cell(PageElements.reason(e)),
              PageElements.wideCell(e.note())));
    }
    return PageElements.table(
        caption, List.of("Name", "Kind", "Namespace", "For", "Because", "That is"), all);
  }

  @Override
  public Map<String, Object> tree() {
    return JsonTrees.map(
        "apiVersion", JsonTrees.VERSION,
        "kind", "ConsoleWaiting",
        "total", all,
        "found", slice.found(),
        "page", slice.query().page(),
        "pages", slice.pages(),
        "items", slice.rows().stream().map(JsonTrees::brief).toList(),
        "unseen", JsonTrees.unseen(unseen));
  }
}
