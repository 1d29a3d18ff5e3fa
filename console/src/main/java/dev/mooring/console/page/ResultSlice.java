package dev.mooring.console.page;

import java.util.List;

record ResultSlice<T>(ListQuery query, int found, List<T> rows) {
  private static final int MOST = 50;

  ResultSlice {
    rows = List.copyOf(rows);
  }

  static <T> ResultSlice<T> of(ListQuery query, List<T> found) {
    int page = Math.clamp(query.page(), 1, Math.max(1, pages(found.size())));
    int from = (page - 1) * MOST;
    return new ResultSlice<>(
        query.at(page), found.size(), found.subList(from, Math.min(found.size(), from + MOST)));
  }

  int pages() {
    return pages(found);
  }

  private static int pages(int found) {
    return (found + MOST - 1) / MOST;
  }
}
