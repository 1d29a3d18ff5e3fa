package dev.mooring.benchmarks;

import java.util.List;
import java.util.Map;

/** Charts: figures beside their bars, a figure over time. */
public final class Plot {
  private static final int ROW = 26;
  private static final int LEFT = 260;
  private static final int WIDTH = 420;
  private static final int HEIGHT = 220;
  private static final int MARGIN = 40;

  /** A point of a line. */
  public record Point(double x, double y) {}

  private Plot() {}

  /** A line through points, and a horizontal one at the bar. */
  public static String line(String title, List<Point> points, double bar) {
    double right = Math.max(1, points.stream().mapToDouble(Point::x).max().orElse(1));
    double top = 1.1 * Math.max(bar, points.stream().mapToDouble(Point::y).max().orElse(bar));
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      path.append(
          "%.1f,%.1f "
              .formatted(
                  MARGIN + WIDTH * point.x() / right, MARGIN + HEIGHT * (1 - point.y() / top)));
    }
    double limit = MARGIN + HEIGHT * (1 - bar / top);
    return """
    <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">
    <text x="8" y="18" font-weight="bold">%s</text>
    <polyline points="%s" fill="none" stroke="#2a7" stroke-width="2"/>
    <line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#333" stroke-dasharray="4"/>
    <text x="%d" y="%.1f">%.0f</text><text x="%d" y="%d">%.0f</text>
    </svg>
    """
        .formatted(
            WIDTH + 2 * MARGIN,
            HEIGHT + 2 * MARGIN,
            title,
            path.toString().strip(),
            MARGIN,
            limit,
            MARGIN + WIDTH,
            limit,
            8,
            limit + 4,
            bar,
            MARGIN + WIDTH - 16,
            MARGIN + HEIGHT + 16,
            right);
  }

  /** How far each figure is above its bar; the line is the bar. */
  public static String svg(Map<String, Double> timesBar) {
    double most =
        Math.max(2, timesBar.values().stream().mapToDouble(Double::doubleValue).max().orElse(2));
    double unit = WIDTH / (Math.log(most * 2) / Math.log(2));
    int height = ROW * timesBar.size() + 50;
    StringBuilder out =
        new StringBuilder(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                .formatted(LEFT + WIDTH + 90, height));
    out.append(
        "<text x=\"8\" y=\"18\" font-weight=\"bold\">times the bar (logarithmic; the line is the bar)</text>\n");
    int y = 34;
    for (Map.Entry<String, Double> entry : timesBar.entrySet()) {
      double length = Math.max(1, unit * Math.log(entry.getValue() * 2) / Math.log(2));
      String colour = entry.getValue() >= 1 ? "#2a7" : "#c43";
      out.append(
          "<text x=\"8\" y=\"%d\">%s</text><rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\" fill=\"%s\"/><text x=\"%.1f\" y=\"%d\">%.1fx</text>%n"
              .formatted(
                  y + 13,
                  entry.getKey(),
                  LEFT,
                  y,
                  length,
                  colour,
                  LEFT + length + 6,
                  y + 13,
                  entry.getValue()));
      y += ROW;
    }
    out.append(
        "<line x1=\"%.1f\" y1=\"26\" x2=\"%.1f\" y2=\"%d\" stroke=\"#333\"/>%n</svg>%n"
            .formatted(LEFT + unit, LEFT + unit, y));
    return out.toString();
  }
}
