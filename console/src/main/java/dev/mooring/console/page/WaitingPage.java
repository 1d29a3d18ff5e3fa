package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.WaitingCauses;
import dev.mooring.console.view.WaitingSnapshot;
import dev.mooring.explain.CauseSentence;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.explain.WaitingGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Waiting objects of all kinds, by default the most urgent first, then the oldest; fifty per page.
 *
 * @param total total number of explanations
 * @param slice the requested page
 * @param namespaces namespaces with waiting objects
 * @param cause the cause that the query selects, if any object still waits for it
 * @param unseen what cannot be read
 */
public record WaitingPage(
    int total,
    ResultSlice<Explanation> slice,
    SortedSet<String> namespaces,
    Optional<WaitingGroup> cause,
    List<UnreadableKind> unseen,
    Instant now)
    implements ConsolePage {
  static final String ADDRESS = ConsoleSection.ROOT + "waiting";

  private static final String KIND = "kind";

  private static final Comparator<Explanation> BY_KEY =
      Comparator.comparing(e -> e.subject().key());

  public static WaitingPage of(ListQuery query, WaitingCauses.Grouping causes) {
    WaitingSnapshot waiting = causes.snapshot();
    List<Explanation> explanations = causes.explanations();
    Optional<WaitingGroup> group =
        query.cause().isEmpty()
            ? Optional.empty()
            : causes.groups().stream().filter(g -> g.token().equals(query.cause())).findFirst();
    List<Explanation> candidates =
        query.cause().isEmpty() ? explanations : group.map(WaitingGroup::members).orElse(List.of());
    List<Explanation> matches =
        new ArrayList<>(
            candidates.stream()
                .filter(e -> query.isInNamespace(e.subject().key()) && query.hasReason(List.of(e)))
                .filter(e -> query.hasText(e.subject().key().toString()))
                .toList());
    comparator(query).ifPresent(matches::sort);
    SortedSet<String> namespaces = new TreeSet<>();
    explanations.forEach(e -> namespaces.add(e.subject().key().namespace()));
    namespaces.remove("");
    return new WaitingPage(
        explanations.size(),
        ResultSlice.of(query, matches),
        namespaces,
        group,
        waiting.unseen(),
        waiting.time());
  }

  private static Optional<Comparator<Explanation>> comparator(ListQuery query) {
    Comparator<Explanation> ascending =
        switch (query.sortColumn()) {
          case SortableHeads.NAME -> Comparator.comparing(e -> e.subject().key().name());
          case KIND -> Comparator.comparing(e -> e.subject().kind().kind());
          case SortableHeads.NAMESPACE -> BY_KEY;
          case SortableHeads.AGE -> Comparator.comparing(Explanation::stateSince).reversed();
          case SortableHeads.REASON -> Explanation.PRECEDENCE;
          default -> (first, second) -> 0;
        };
    return query.sort().isEmpty()
        ? Optional.empty()
        : Optional.of(query.isDescending() ? ascending.reversed() : ascending);
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
            new SearchForm(ADDRESS, slice.query())
                .withNamespaces(namespaces)
                .withReason(true)
                .html(),
            PageElements.live("list")
                .add(
                    cause.map(WaitingPage::causePart).orElse(HtmlNode.NOTHING),
                    HtmlNode.of("p", "count").with("id", "count").add(countText()),
                    slice.rows().isEmpty()
                        ? SearchForm.noMatch(ADDRESS, slice.query(), "Nothing is waiting.")
                        : table(),
                    PageElements.pager(ADDRESS, slice.query(), slice.pages()),
                    PageElements.unseen(unseen))));
  }

  private static HtmlNode causePart(WaitingGroup group) {
    return HtmlNode.of("p", "cause")
        .add(
            PageElements.reason(group.first()),
            HtmlNode.text(" "),
            CauseTable.description(group),
            HtmlNode.text(" "),
            PageElements.link(ADDRESS, "Show all causes"));
  }

  private String countText() {
    return slice.total() == total
        ? "%,d waiting".formatted(total)
        : "%,d of %,d waiting".formatted(slice.total(), total);
  }

  private HtmlNode table() {
    List<Element> rows = new ArrayList<>();
    for (Explanation e : slice.rows()) {
      rows.add(
          PageElements.row(
              PageElements.head(PageElements.link(e.subject())),
              PageElements.cell(PageElements.kindName(e.subject())),
              PageElements.cell(e.subject().key().namespace()),
              PageElements.cell(AgeElement.since(e.stateSince(), now)),
              PageElements.cell(PageElements.reason(e)),
              PageElements.wideCell(CauseSentence.of(e))));
    }
    return PageElements.sortableTable(
        "Waiting objects",
        new SortableHeads(ADDRESS, slice.query())
            .add(SortableHeads.NAME, "Name")
            .add(KIND, "Kind")
            .add(SortableHeads.NAMESPACE, "Namespace")
            .add(SortableHeads.AGE, "Waiting")
            .add(SortableHeads.REASON, "Reason")
            .addPlain("Meaning"),
        rows);
  }

  @Override
  public Map<String, Object> tree() {
    return JsonTrees.document(
        "kind", "ConsoleWaiting",
        "total", total,
        "found", slice.total(),
        "page", slice.query().page(),
        "pages", slice.pages(),
        "items", slice.rows().stream().map(JsonTrees::summary).toList(),
        "unseen", JsonTrees.unseen(unseen));
  }
}
