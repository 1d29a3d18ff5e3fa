package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.BoundTimes.Bucket;
import dev.mooring.explain.AgeFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Charts as SVG. Their text is HTML, so that it keeps its size on a narrow screen. */
final class SvgCharts {
  private static final int WIDTH = 600;
  private static final int HEIGHT = 60;
  private static final int MARGIN = 4; // keeps the line visible at the lowest and highest value
  private static final int BAR_WIDTH = 100;
  private static final int BAR_HEIGHT = 10;
  private static final long SECOND = 1000;

  private SvgCharts() {}

  /**
   * Returns a line.
   *
   * @param values at least two, the oldest first
   * @param label what the line shows, for screen readers
   */
  static Element sparkline(List<Integer> values, String label) {
    int max = Math.max(1, Collections.max(values));
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      double x = (double) i * WIDTH / (values.size() - 1);
      double y = HEIGHT - MARGIN - (double) values.get(i) * (HEIGHT - 2 * MARGIN) / max;
      points.append(i == 0 ? "" : " ").append(String.format(Locale.ROOT, "%.1f,%.1f", x, y));
    }
    return svg("sparkline", WIDTH, HEIGHT)
        .with("role", "img")
        .with("aria-label", label)
        .add(
            HtmlNode.of("polygon")
                .with("points", "0,%d %s %d,%d".formatted(HEIGHT, points, WIDTH, HEIGHT)),
            HtmlNode.of("polyline").with("points", points.toString()));
  }

  private static Element svg(String styleClass, int width, int height) {
    return HtmlNode.of("svg", styleClass)
        .with("viewBox", "0 0 %d %d".formatted(width, height))
        .with("preserveAspectRatio", "none");
  }

  static Element histogram(List<Bucket> buckets) {
    int first = 0;
    int last = buckets.size() - 1;
    while (first < last && buckets.get(first).count() == 0) {
      first++;
    }
    while (last > first && buckets.get(last).count() == 0) {
      last--;
    }
    int max = buckets.stream().mapToInt(Bucket::count).max().orElse(0);
    List<HtmlNode> bars = new ArrayList<>();
    for (Bucket bucket : buckets.subList(first, last + 1)) {
      bars.add(bar(bucket, Math.max(1, max)));
    }
    return HtmlNode.of("ul", "histogram").add(bars);
  }

  private static Element bar(Bucket bucket, int max) {
    int width = (int) Math.ceil((double) bucket.count() * BAR_WIDTH / max);
    return HtmlNode.of("li")
        .add(
            HtmlNode.of("span", "range").add(range(bucket)),
            svg("bar", BAR_WIDTH, BAR_HEIGHT)
                .with("aria-hidden", "true")
                .add(
                    HtmlNode.of("rect")
                        .with("width", Integer.toString(width))
                        .with("height", Integer.toString(BAR_HEIGHT))),
            HtmlNode.of("span", "amount").add("%,d".formatted(bucket.count())));
  }

  private static String range(Bucket bucket) {
    if (bucket.from() == 0) {
      return "under " + formatDuration(bucket.to());
    }
    return bucket.to() == Long.MAX_VALUE
        ? formatDuration(bucket.from()) + " or more"
        : formatDuration(bucket.from()) + " to " + formatDuration(bucket.to());
  }

  static String formatDuration(long milliseconds) {
    if (milliseconds < SECOND) {
      return milliseconds + " ms";
    }
    long seconds = milliseconds / SECOND;
    if (milliseconds < 10 * SECOND) {
      return String.format(Locale.ROOT, "%.1f s", milliseconds / (double) SECOND)
          .replace(".0 s", " s");
    }
    return seconds < 60 ? seconds + " s" : AgeFormat.format(seconds);
  }
}
