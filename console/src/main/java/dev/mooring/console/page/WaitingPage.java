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
 * @param all how many reasons there are
 * @param slice those that were asked for
 * @param unseen what could not be read
 * @param now the time
 */
public record WaitingPage(int all, Slice<Explanation> slice, List<Unseen> unseen, Instant now)
    implements Page {
  static final String ADDRESS = Section.ROOT + "waiting";

  public static WaitingPage of(Query query, Waiting waiting) {
    List<Explanation> all = waiting.inOrder();
    List<Explanation> found =
        all.stream()
            .filter(e -> query.isIn(e.subject().key()) && query.wants(List.of(e)))
            .filter(e -> query.finds(e.subject().key().toString()))
            .toList();
    return new WaitingPage(all.size(), Slice.of(query, found), waiting.unseen(), waiting.at());
  }

  @Override
  public String title() {
    return "What waits";
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
  public Html body() {
    return Html.all(
        List.of(
            Parts.search(
                ADDRESS,
                List.of(
                    Parts.field("q", "Name contains", slice.query().text()),
                    Parts.field("namespace", "Namespace", slice.query().namespace()),
                    Parts.field("reason", "Reason", slice.query().reason()))),
            Html.of("div")
                .with("id", "list")
                .with("data-live", "")
                .add(
                    Html.of("p", "count")
                        .add(
                            slice.found() == all
                                ? "%,d reasons to wait".formatted(all)
                                : "%,d of %,d reasons to wait".formatted(slice.found(), all)),
                    slice.rows().isEmpty() ? Html.NOTHING : table("What waits", slice.rows(), now),
                    Parts.pager(ADDRESS, slice.query(), slice.pages()),
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
        slice.found(),
        "page",
        slice.query().page(),
        "pages",
        slice.pages(),
        "items",
        slice.rows().stream().map(Trees::brief).toList(),
        "unseen",
        Trees.unseen(unseen));
  }
}
