package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode.Element;
import java.util.ArrayList;
import java.util.List;

final class SortableHeads {
  static final String NAME = "name";
  static final String NAMESPACE = "namespace";
  static final String AGE = "age";
  static final String REASON = "reason";

  private final String address;
  private final ListQuery query;
  private final List<PageElements.TableHead> heads = new ArrayList<>();

  SortableHeads(String address, ListQuery query) {
    this.address = address;
    this.query = query;
  }

  SortableHeads add(String column, String title) {
    heads.add(new PageElements.TableHead(title, head(column, title)));
    return this;
  }

  SortableHeads addPlain(String title) {
    heads.add(PageElements.TableHead.of(title));
    return this;
  }

  private Element head(String column, String title) {
    Element head =
        PageElements.columnHead(
            PageElements.link(address + query.sortedBy(column).address(), title));
    return query.sortColumn().equals(column)
        ? head.with("aria-sort", query.isDescending() ? "descending" : "ascending")
        : head;
  }

  List<PageElements.TableHead> list() {
    return List.copyOf(heads);
  }
}
