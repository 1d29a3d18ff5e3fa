package dev.mooring.console.page;

import java.util.List;

/**
 * One page of what was found, fifty at a time.
 *
 * @param query what was asked for; its page is one that there is
 * @param found how many were found
 * @param rows those of this page
 */
record Slice<T>(Query query, int found, List<T> rows) {
  private static final int MOST = 50;

  Slice {
    rows = List.copyOf(rows);
  }

  /** The page that was asked for, or the nearest that there is. */
  static <T> Slice<T> of(Query query, List<T> found) {
    int page = Math.clamp(query.page(), 1, Math.max(1, pages(found.size())));
    int from = (page - 1) * MOST;
    return new Slice<>(
        query.at(page), found.size(), found.subList(from, Math.min(found.size(), from + MOST)));
  }

  int pages() {
    return pages(found);
  }

  private static int pages(int found) {
    return (found + MOST - 1) / MOST;
  }
}
