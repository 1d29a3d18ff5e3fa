package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.ConsoleSection;
import dev.mooring.console.view.DataDanger;
import dev.mooring.console.view.SortedObjects;
import dev.mooring.console.view.WaitingSnapshot;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * List of the objects of one kind, fifty per page.
 *
 * @param total number of objects of the kind
 * @param slice the requested page
 * @param namespaces namespaces of all objects of the kind
 * @param unseen the kind, if it cannot be read
 * @param dangers known dangers for the data of claims
 */
public record ListPage(
    ConsoleSection section,
    int total,
    ResultSlice<Row> slice,
    SortedSet<String> namespaces,
    List<UnreadableKind> unseen,
    Map<ObjectKey, DataDanger> dangers,
    Instant now)
    implements ConsolePage {
  record Row(ObjectKey key, long created, List<TableCell> cells, List<Explanation> explanations) {}

  public static ListPage of(
      ConsoleSection section,
      ListQuery query,
      ClusterView clusterView,
      SortedObjects listing,
      WaitingSnapshot waiting) {
    List<? extends Resource> objects = listing.sort(clusterView.informer(section.kind()));
    List<Resource> matches = new ArrayList<>();
    SortedSet<String> namespaces = new TreeSet<>();
    for (Resource object : objects) {
      namespaces.add(object.key().namespace());
      if (query.isInNamespace(object.key())
          && query.hasReason(waiting.explanations(new SubjectRef(section.kind(), object.key())))
          && (query.text().isEmpty() || query.hasText(ListColumns.searchText(object)))) {
        matches.add(object);
      }
    }
    ResultSlice<Resource> slice =
        ResultSlice.of(query, new ListSort(section, waiting).sort(matches, query));
    List<Row> rows = new ArrayList<>();
    for (Resource object : slice.rows()) {
      rows.add(
          new Row(
              object.key(),
              object.meta().created(),
              ListColumns.cells(object),
              waiting.explanations(new SubjectRef(section.kind(), object.key()))));
    }
    return new ListPage(
        section,
        objects.size(),
        new ResultSlice<>(slice.query(), slice.total(), rows),
        namespaces,
        clusterView.readError(section.kind()).stream()
            .map(error ->
                new UnreadableKind(
                    section.kind(), error, "which " + section.kind().plural() + " exist"))
            .toList(),
        Map.of(),
        waiting.time());
  }

  public boolean hasDangers() {
    return section == ConsoleSection.CLAIMS;
  }

  public List<ObjectKey> keys() {
    return slice.rows().stream().map(Row::key).toList();
  }

  public ListPage withDangers(Map<ObjectKey, DataDanger> knownDangers) {
    return new ListPage(section, total, slice, namespaces, unseen, knownDangers, now);
  }

  @Override
  public String title() {
    return section.title();
  }

  @Override
  public String json() {
    return section.address() + ".json" + slice.query().address();
  }

  @Override
  public String entry() {
    return section.address();
  }

  @Override
  public HtmlNode body() {
    return HtmlNode.all(
        List.of(
            form(),
            PageElements.live("list")
                .add(
                    unseen.isEmpty()
                        ? HtmlNode.NOTHING
                        : HtmlNode.of("p", "alarm")
                            .add("This kind cannot be read: " + unseen.getFirst().error()),
                    HtmlNode.of("p", "count")
                        .with("id", "count")
                        .add(CountText.countOf(slice.total(), total, section)),
                    slice.rows().isEmpty()
                        ? SearchForm.noMatch(
                            section.address(),
                            slice.query(),
                            "The cluster has no %s.".formatted(section.path()))
                        : table(),
                    PageElements.pager(section.address(), slice.query(), slice.pages()))));
  }

  private HtmlNode form() {
    SearchForm form = new SearchForm(section.address(), slice.query());
    if (section.kind().namespaced()) {
      form.withNamespaces(namespaces);
    }
    return form.withWaitingBox().withReason(false).html();
  }

  private HtmlNode table() {
    SortableHeads heads = new SortableHeads(section.address(), slice.query());
    heads.add(SortableHeads.NAME, "Name");
    if (section.kind().namespaced()) {
      heads.add(SortableHeads.NAMESPACE, "Namespace");
    }
    ListColumns.of(section).forEach(column -> heads.add(column.token(), column.title()));
    if (hasDangers()) {
      heads.addPlain("Danger");
    }
    heads.add(SortableHeads.AGE, "Age").add(SortableHeads.REASON, "Reason");
    return PageElements.sortableTable(
        section.title(), heads, slice.rows().stream().map(this::row).toList());
  }

  private Element row(Row row) {
    List<HtmlNode> cells = new ArrayList<>();
    cells.add(PageElements.head(PageElements.link(new SubjectRef(section.kind(), row.key()))));
    if (section.kind().namespaced()) {
      cells.add(PageElements.cell(row.key().namespace()));
    }
    row.cells().forEach(cell -> cells.add(PageElements.cell(cell.html())));
    if (hasDangers()) {
      cells.add(PageElements.cell(danger(row)).with("title", sequence(row)));
    }
    cells.add(PageElements.cell(AgeElement.since(row.created(), now)));
    cells.add(
        PageElements.cell(
            row.explanations().isEmpty()
                ? HtmlNode.of("span", "quiet").add("—")
                : PageElements.reason(row.explanations().getFirst())));
    return HtmlNode.of("tr").add(cells);
  }

  private String danger(Row row) {
    DataDanger danger = dangers.get(row.key());
    return danger == null ? "" : danger.acts();
  }

  private String sequence(Row row) {
    DataDanger danger = dangers.get(row.key());
    return danger == null ? "" : danger.sequence();
  }

  @Override
  public Map<String, Object> tree() {
    return JsonTrees.document(
        "kind", "ConsoleList",
        "of", section.path(),
        "total", total,
        "found", slice.total(),
        "page", slice.query().page(),
        "pages", slice.pages(),
        "unseen", JsonTrees.unseen(unseen),
        "items", slice.rows().stream().map(this::tree).toList());
  }

  private Map<String, Object> tree(Row row) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("namespace", row.key().namespace());
    tree.put("name", row.key().name());
    List<ListColumns.Column> columns = ListColumns.of(section);
    for (int i = 0; i < columns.size(); i++) {
      tree.put(columns.get(i).token(), row.cells().get(i).text());
    }
    if (hasDangers()) {
      tree.put("danger", danger(row));
    }
    tree.put("created", AgeElement.timestamp(row.created()));
    tree.put("waits", row.explanations().stream().map(JsonTrees::summary).toList());
    return tree;
  }
}
