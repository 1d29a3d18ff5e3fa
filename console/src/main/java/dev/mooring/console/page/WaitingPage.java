package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.console.html.Html.Element;
import dev.mooring.console.view.Section;
import dev.mooring.console.view.Waiting;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Unseen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What waits, of all kinds: the most urgent first, then the oldest; fifty at a time.
 *
 * @param query what was asked for; its page is one that there is
 * @param all how many reasons there are
 * @param found how many of them were asked for
 * @param rows those of this page
 * @param unseen what could not be read
 * @param now the time
 */
public record WaitingPage(
    Query query, int all, int found, List<Explanation> rows, List<Unseen> unseen, Instant now)
    implements Page {
  static final String ADDRESS = Section.ROOT + "waiting";

  /** Those that are asked for. */
  public static WaitingPage of(Query query, Waiting waiting) {
    List<Explanation> all = waiting.inOrder();
    List<Explanation> found =
        all.stream()
            .filter(e -> query.isIn(e.subject().key()) && query.wants(List.of(e)))
            .filter(e -> query.finds(e.subject().key().toString()))
            .toList();
    int page = Math.max(1, Math.min(query.page(), ListPage.pages(found.size())));
    int from = (page - 1) * ListPage.most();
    return new WaitingPage(
        query.at(page),
        all.size(),
        found.size(),
        found.subList(from, Math.min(found.size(), from + ListPage.most())),
        waiting.unseen(),
        waiting.at());
  }

  @Override
  public String title() {
    return "What waits";
  }

  @Override
  public String json() {
    return ADDRESS + ".json" + query.address();
  }

  @Override
  public String entry() {
    return ADDRESS;
  }

  @Override
  public Html body() {
    return Html.all(
        List.of(
            Html.of("form", "search")
                .with("role", "search")
                .with("action", ADDRESS)
                .with("method", "get")
                .add(
                    Parts.field("q", "Name contains", query.text()),
                    Parts.field("namespace", "Namespace", query.namespace()),
                    Parts.field("reason", "Reason", query.reason()),
                    Html.of("button").with("type", "submit").add("Search")),
            Html.of("div")
                .with("id", "list")
                .with("data-live", "")
                .add(
                    Html.of("p", "count")
                        .add(
                            found == all
                                ? "%,d reasons to wait".formatted(all)
                                : "%,d of %,d reasons to wait".formatted(found, all)),
                    rows.isEmpty() ? Html.NOTHING : table("What waits", rows, now),
                    Parts.pager(ADDRESS, query, ListPage.pages(found)),
                    Parts.unseen(unseen))));
  }

  /** The same table is on the overview. */
  static Html table(String caption, List<Explanation> rows, Instant now) {
    List<Element> all = new ArrayList<>();
    for (Explanation e : rows) {
      all.add(
          Html.of("tr")
              .add(
                  Parts.head(Parts.link(e.subject())),
                  Parts.cell(Parts.one(e.subject())),
                  Parts.cell(e.subject().key().namespace()),
                  Parts.cell(Ages.since(e.since(), now)),
                  Parts.cell(Parts.reason(e)),
                  Html.of("td", "wide").add(e.note())));
    }
    return Parts.table(
        caption, List.of("Name", "Kind", "Namespace", "For", "Because", "That is"), all);
  }

  @Override
  public Map<String, Object> tree() {
    return Trees.map(
        "apiVersion",
        Trees.VERSION,
        "kind",
        "ConsoleWaiting",
        "total",
        all,
        "found",
        found,
        "page",
        query.page(),
        "pages",
        ListPage.pages(found),
        "items",
        rows.stream().map(Trees::brief).toList(),
        "unseen",
        Trees.unseen(unseen));
  }
}
