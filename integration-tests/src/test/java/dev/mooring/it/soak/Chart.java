package dev.mooring.it.soak;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A chart of samples, one row for each thing that is measured. */
final class Chart {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 90;
  private static final int LEFT = 60;
  private static final int TOP = 36;
  private static final int GAP = 34;

  private final StringBuilder rows = new StringBuilder();
  private final List<Sample> samples;
  private final String title;
  private int count;

  Chart(String title, List<Sample> samples) {
    this.title = title;
    this.samples = samples;
  }

  /** Adds a row, from 0 to its highest value. */
  Chart row(String name, ToDoubleFunction<Sample> what) {
    double right = Math.max(1, samples.getLast().seconds());
    double most = 1.1 * Math.max(1, samples.stream().mapToDouble(what).max().orElse(1));
    int bottom = TOP + GAP / 2 + count * (HEIGHT + GAP) + HEIGHT;
    StringBuilder points = new StringBuilder();
    for (Sample sample : samples) {
      points.append(
          String.format(
              Locale.ROOT,
              "%.1f,%.1f ",
              LEFT + WIDTH * sample.seconds() / right,
              bottom - HEIGHT * what.applyAsDouble(sample) / most));
    }
    rows.append(
        String.format(
            Locale.ROOT,
            """
            <text x="%d" y="%d">%s</text>
            <line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#999"/>
            <text x="8" y="%d">0</text><text x="8" y="%d">%.0f</text>
            <polyline points="%s" fill="none" stroke="#2a7" stroke-width="1.5"/>
            """,
            LEFT,
            bottom - HEIGHT - 4,
            name,
            LEFT,
            bottom,
            LEFT + WIDTH,
            bottom,
            bottom,
            bottom - HEIGHT + 8,
            most,
            points.toString().strip()));
    count++;
    return this;
  }

  String svg() {
    int height = TOP + count * (HEIGHT + GAP) + GAP;
    return String.format(
        Locale.ROOT,
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">
        <rect width="100%%" height="100%%" fill="white"/>
        <text x="8" y="18" font-weight="bold">%s</text>
        %s<text x="%d" y="%d">%.0f minutes</text>
        </svg>
        """,
        WIDTH + LEFT + 30,
        height,
        title,
        rows,
        LEFT + WIDTH - 60,
        height - 10,
        samples.getLast().seconds() / 60);
  }
}
