package dev.mooring.console.page;

import java.util.List;

record ResultSlice<T>(ListQuery query, int total, List<T> rows) {
  private static final int PAGE_SIZE = 50;

  ResultSlice {
    rows = List.copyOf(rows);
  }

  static <T> ResultSlice<T> of(ListQuery query, List<T> matches) {
    int page = Math.clamp(query.page(), 1, Math.max(1, countPages(matches.size())));
    int start = (page - 1) * PAGE_SIZE;
    return new ResultSlice<>(
        query.atPage(page),
        matches.size(),
        matches.subList(start, Math.min(matches.size(), start + PAGE_SIZE)));
  }

  int pages() {
    return countPages(total);
  }

  private static int countPages(int total) {
    return (total + PAGE_SIZE - 1) / PAGE_SIZE;
  }
}
