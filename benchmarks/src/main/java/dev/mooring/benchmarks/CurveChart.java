package dev.mooring.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A chart of figures that depend on the size of a cluster, with logarithmic axes. */
public final class CurveChart {
  private static final int WIDTH = 420;
  private static final int HEIGHT = 260;
  private static final int LEFT = 60;
  private static final int TOP = 20;
  private static final int ROW = 18;
  private static final List<String> COLOURS = List.of("#2a7", "#c43", "#27c", "#a5a", "#b80");

  private final double minX;
  private final double maxX;
  private final double minY;
  private final double maxY;

  private CurveChart(List<SvgChart.ChartPoint> points) {
    minX = decade(points.stream().mapToDouble(SvgChart.ChartPoint::x).min().orElse(1));
    maxX = nextDecade(points.stream().mapToDouble(SvgChart.ChartPoint::x).max().orElse(1), minX);
    minY = decade(points.stream().mapToDouble(SvgChart.ChartPoint::y).min().orElse(1));
    maxY = nextDecade(points.stream().mapToDouble(SvgChart.ChartPoint::y).max().orElse(1), minY);
  }

  private static double decade(double value) {
    return Math.floor(Math.log10(Math.max(1e-3, value)));
  }

  private static double nextDecade(double value, double min) {
    return Math.max(min + 1, Math.ceil(Math.log10(Math.max(1e-3, value)) - 1e-9));
  }

  private double x(double value) {
    return LEFT + WIDTH * (Math.log10(Math.max(1e-3, value)) - minX) / (maxX - minX);
  }

  private double y(double value) {
    return TOP + HEIGHT * (1 - (Math.log10(Math.max(1e-3, value)) - minY) / (maxY - minY));
  }

  /**
   * Renders the chart as SVG.
   *
   * @param xLabel label of the x axis
   * @param curves points by the label of their curve
   */
  public static String svg(String xLabel, Map<String, List<SvgChart.ChartPoint>> curves) {
    CurveChart scale = new CurveChart(curves.values().stream().flatMap(List::stream).toList());
    StringBuilder out =
        new StringBuilder(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                .formatted(LEFT + WIDTH + 40, TOP + HEIGHT + 50 + ROW * curves.size()));
    scale.grid(out, xLabel);
    int number = 0;
    for (Map.Entry<String, List<SvgChart.ChartPoint>> curve : curves.entrySet()) {
      String colour = COLOURS.get(number % COLOURS.size());
      scale.curve(out, curve.getValue(), colour);
      int legendY = TOP + HEIGHT + 50 + ROW * number++;
      out.append(
          "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>%n"
              .formatted(LEFT, legendY, colour, LEFT + 22, legendY + 6, curve.getKey()));
    }
    return out.append("</svg>\n").toString();
  }

  private void grid(StringBuilder out, String xLabel) {
    for (double power = minX; power <= maxX; power++) {
      double lineX = x(Math.pow(10, power));
      out.append(
          "<line x1=\"%1$.1f\" y1=\"%2$d\" x2=\"%1$.1f\" y2=\"%3$d\" stroke=\"#ddd\"/><text x=\"%1$.1f\" y=\"%4$d\" text-anchor=\"middle\">%5$s</text>%n"
              .formatted(lineX, TOP, TOP + HEIGHT, TOP + HEIGHT + 16, powerText(power)));
    }
    for (double power = minY; power <= maxY; power++) {
      double lineY = y(Math.pow(10, power));
      out.append(
          "<line x1=\"%1$d\" y1=\"%2$.1f\" x2=\"%3$d\" y2=\"%2$.1f\" stroke=\"#ddd\"/><text x=\"%4$d\" y=\"%5$.1f\" text-anchor=\"end\">%6$s</text>%n"
              .formatted(LEFT, lineY, LEFT + WIDTH, LEFT - 6, lineY + 4, powerText(power)));
    }
    out.append(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>%n"
            .formatted(LEFT + WIDTH / 2, TOP + HEIGHT + 34, xLabel));
  }

  private static String powerText(double power) {
    return power >= 0
        ? String.format(Locale.ROOT, "%,d", Math.round(Math.pow(10, power)))
        : String.format(Locale.ROOT, "%." + (int) -power + "f", Math.pow(10, power));
  }

  private void curve(StringBuilder out, List<SvgChart.ChartPoint> points, String colour) {
    String path =
        points.stream()
            .map(p -> String.format(Locale.ROOT, "%.1f,%.1f", x(p.x()), y(p.y())))
            .reduce((a, b) -> a + " " + b)
            .orElse("");
    out.append(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n"
            .formatted(path, colour));
    for (SvgChart.ChartPoint point : points) {
      out.append(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n"
              .formatted(x(point.x()), y(point.y()), colour));
    }
  }
}
