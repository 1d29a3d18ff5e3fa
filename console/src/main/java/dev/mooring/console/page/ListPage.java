package dev.mooring.console.page;

import dev.mooring.console.html.Html;
import dev.mooring.console.html.Html.Element;
import dev.mooring.console.view.Listing;
import dev.mooring.console.view.Section;
import dev.mooring.console.view.Waiting;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Sight;
import dev.mooring.explain.Subject;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The objects of one kind, fifty at a time.
 *
 * @param section the kind
 * @param all how many objects there are
 * @param slice those that were asked for
 * @param unseen why the kind cannot be read; "" if it can
 * @param now the time
 */
public record ListPage(Section section, int all, Slice<Row> slice, String unseen, Instant now)
    implements Page {
  /**
   * An object.
   *
   * @param key its name
   * @param created when it was made, in seconds since the epoch
   * @param cells what its columns hold
   * @param why why it waits, the most urgent first; nothing if it does not
   */
  record Row(ObjectKey key, long created, List<Cell> cells, List<Explanation> why) {}

  /** Those that are asked for, as they are now. */
  public static ListPage of(
      Section section, Query query, Sight sight, Listing listing, Waiting waiting) {
    List<? extends Resource> all = listing.of(sight.informer(section.kind()));
    List<Resource> found = new ArrayList<>();
    for (Resource object : all) {
      if (query.isIn(object.key())
          && query.wants(waiting.of(new Subject(section.kind(), object.key())))
          && (query.text().isEmpty() || query.finds(Columns.searched(object)))) {
        found.add(object);
      }
    }
    Slice<Resource> slice = Slice.of(query, found);
    List<Row> rows = new ArrayList<>();
    for (Resource object : slice.rows()) {
      rows.add(
          new Row(
              object.key(),
              object.meta().created(),
              Columns.cells(object),
              waiting.of(new Subject(section.kind(), object.key()))));
    }
    return new ListPage(
        section,
        all.size(),
        new Slice<>(slice.query(), slice.found(), rows),
        sight.unseen(section.kind()).orElse(""),
        waiting.at());
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
  public Html body() {
    return Html.all(
        List.of(
            form(),
            Html.of("div")
                .with("id", "list")
                .with("data-live", "")
                .add(
                    unseen.isEmpty()
                        ? Html.NOTHING
                        : Html.of("p", "alarm").add("These cannot be read: " + unseen),
                    Html.of("p", "count").with("id", "count").add(count()),
                    slice.rows().isEmpty() ? Html.NOTHING : table(),
                    Parts.pager(section.address(), slice.query(), slice.pages()))));
  }

  private String count() {
    return slice.found() == all
        ? "%,d %s".formatted(all, section.path())
        : "%,d of %,d %s".formatted(slice.found(), all, section.path());
  }

  private Html form() {
    List<Html> fields = new ArrayList<>();
    fields.add(Parts.field("q", "Name contains", slice.query().text()));
    if (section.kind().namespaced()) {
      fields.add(Parts.field("namespace", "Namespace", slice.query().namespace()));
    }
    Element box =
        Html.of("input").with("type", "checkbox").with("name", "waiting").with("value", "1");
    fields.add(
        Html.of("label", "check")
            .add(
                slice.query().waiting() ? box.with("checked", "") : box,
                Html.of("span").add("Only what waits")));
    if (!slice.query().reason().isEmpty()) {
      fields.add(Parts.field("reason", "Reason", slice.query().reason()));
    }
    return Parts.search(section.address(), fields);
  }

  private Html table() {
    List<String> headings = new ArrayList<>();
    headings.add("Name");
    if (section.kind().namespaced()) {
      headings.add("Namespace");
    }
    Columns.of(section).forEach(column -> headings.add(column.title()));
    headings.add("Age");
    headings.add("Waits because");
    return Parts.table(section.title(), headings, slice.rows().stream().map(this::row).toList());
  }

  private Element row(Row row) {
    List<Html> cells = new ArrayList<>();
    cells.add(Parts.head(Parts.link(new Subject(section.kind(), row.key()))));
    if (section.kind().namespaced()) {
      cells.add(Parts.cell(row.key().namespace()));
    }
    row.cells().forEach(cell -> cells.add(Parts.cell(cell.html())));
    cells.add(Parts.cell(Ages.since(row.created(), now)));
    cells.add(
        Parts.cell(
            row.why().isEmpty()
                ? Html.of("span", "quiet").add("—")
                : Parts.reason(row.why().getFirst())));
    return Html.of("tr").add(cells);
  }

  @Override
  public Map<String, Object> tree() {
    return Trees.map(
        "apiVersion",
        Trees.VERSION,
        "kind",
        "ConsoleList",
        "of",
        section.path(),
        "total",
        all,
        "found",
        slice.found(),
        "page",
        slice.query().page(),
        "pages",
        slice.pages(),
        "unseen",
        unseen,
        "items",
        slice.rows().stream().map(this::tree).toList());
  }

  private Map<String, Object> tree(Row row) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("namespace", row.key().namespace());
    tree.put("name", row.key().name());
    List<Columns.Column> columns = Columns.of(section);
    for (int i = 0; i < columns.size(); i++) {
      tree.put(columns.get(i).token(), row.cells().get(i).text());
    }
    tree.put("created", Ages.moment(row.created()));
    tree.put("waits", row.why().stream().map(Trees::brief).toList());
    return tree;
  }
}
