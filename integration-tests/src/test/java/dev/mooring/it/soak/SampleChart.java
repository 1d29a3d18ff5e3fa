package dev.mooring.it.soak;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A chart with a row per measured value, a line per phase of a replica, and marks for incidents.
 */
final class SampleChart {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 90;
  private static final int LEFT = 60;
  private static final int TOP = 54;
  private static final int GAP = 34;

  record Line(String colour, List<ResourceSample> samples) {}

  /** An incident. */
  record Mark(double seconds, String colour) {}

  private final StringBuilder rows = new StringBuilder();
  private final String title;
  private final String legend;
  private final List<Line> lines;
  private final List<Mark> marks;
  private int rowCount;

  SampleChart(String title, String legend, List<Line> lines, List<Mark> marks) {
    this.title = title;
    this.legend = legend;
    this.lines = lines;
    this.marks = marks;
  }

  private Stream<ResourceSample> samples() {
    return lines.stream().flatMap(line -> line.samples().stream());
  }

  private double maxSeconds() {
    return Math.max(1, samples().mapToDouble(ResourceSample::seconds).max().orElse(1));
  }

  /** Adds a row, scaled from 0 to its maximum. */
  SampleChart addRow(String name, ToDoubleFunction<ResourceSample> value) {
    double maximum = 1.1 * Math.max(1, samples().mapToDouble(value).max().orElse(1));
    int bottom = TOP + GAP / 2 + rowCount * (HEIGHT + GAP) + HEIGHT;
    for (Mark mark : marks) {
      double x = LEFT + WIDTH * mark.seconds() / maxSeconds();
      rows.append(stroke(x, bottom - HEIGHT, x, bottom, mark.colour()));
    }
    rows.append(stroke(LEFT, bottom, LEFT + WIDTH, bottom, "#999"));
    rows.append(text(LEFT, bottom - HEIGHT - 4, name));
    rows.append(text(8, bottom, "0"));
    rows.append(text(8, bottom - HEIGHT + 8, "%.0f".formatted(maximum)));
    for (Line line : lines) {
      rows.append(polyline(line, value, bottom, maximum));
    }
    rowCount++;
    return this;
  }

  private static String text(int x, int y, String text) {
    return "<text x=\"%d\" y=\"%d\">%s</text>\n".formatted(x, y, text);
  }

  private static String stroke(double x1, double y1, double x2, double y2, String colour) {
    return String.format(
        Locale.ROOT,
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n",
        x1,
        y1,
        x2,
        y2,
        colour);
  }

  private String polyline(
      Line line, ToDoubleFunction<ResourceSample> value, int bottom, double maximum) {
    StringBuilder points = new StringBuilder();
    for (ResourceSample sample : line.samples()) {
      points.append(
          String.format(
              Locale.ROOT,
              "%.1f,%.1f ",
              LEFT + WIDTH * sample.seconds() / maxSeconds(),
              bottom - HEIGHT * value.applyAsDouble(sample) / maximum));
    }
    return "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>%n"
        .formatted(points.toString().strip(), line.colour());
  }

  String toSvg() {
    int height = TOP + rowCount * (HEIGHT + GAP) + GAP;
    return String.format(
        Locale.ROOT,
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">
        <rect width="100%%" height="100%%" fill="white"/>
        <text x="8" y="18" font-weight="bold">%s</text>
        <text x="8" y="36">%s</text>
        %s<text x="%d" y="%d">%.0f minutes</text>
        </svg>
        """,
        WIDTH + LEFT + 30,
        height,
        title,
        legend,
        rows,
        LEFT + WIDTH - 60,
        height - 10,
        maxSeconds() / 60);
  }
}
