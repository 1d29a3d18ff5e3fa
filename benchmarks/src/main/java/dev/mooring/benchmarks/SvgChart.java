package dev.mooring.benchmarks;

import java.util.List;
import java.util.Map;

/** SVG charts: figures relative to their bounds, and one figure over time. */
public final class SvgChart {
  private static final int ROW = 26;
  private static final int LEFT = 260;
  private static final int WIDTH = 420;
  private static final int HEIGHT = 220;
  private static final int MARGIN = 40;

  public record ChartPoint(double x, double y) {}

  private SvgChart() {}

  /** Renders a line through points and a horizontal line at the limit. */
  public static String line(String title, List<ChartPoint> points, double limit) {
    double right = Math.max(1, points.stream().mapToDouble(ChartPoint::x).max().orElse(1));
    double top =
        1.1 * Math.max(limit, points.stream().mapToDouble(ChartPoint::y).max().orElse(limit));
    StringBuilder path = new StringBuilder();
    for (ChartPoint point : points) {
      path.append(
          "%.1f,%.1f "
              .formatted(
                  MARGIN + WIDTH * point.x() / right, MARGIN + HEIGHT * (1 - point.y() / top)));
    }
    double limitY = MARGIN + HEIGHT * (1 - limit / top);
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
            limitY,
            MARGIN + WIDTH,
            limitY,
            8,
            limitY + 4,
            limit,
            MARGIN + WIDTH - 16,
            MARGIN + HEIGHT + 16,
            right);
  }

  /** Renders each figure as a multiple of its limit, with a line at 1. */
  public static String svg(Map<String, Double> multiples) {
    double max =
        Math.max(2, multiples.values().stream().mapToDouble(Double::doubleValue).max().orElse(2));
    double unit = WIDTH / (Math.log(max * 2) / Math.log(2));
    int height = ROW * multiples.size() + 50;
    StringBuilder out =
        new StringBuilder(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                .formatted(LEFT + WIDTH + 90, height));
    out.append(
        "<text x=\"8\" y=\"18\" font-weight=\"bold\">multiple of the limit (logarithmic; the line is the limit)</text>\n");
    int y = 34;
    for (Map.Entry<String, Double> entry : multiples.entrySet()) {
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
