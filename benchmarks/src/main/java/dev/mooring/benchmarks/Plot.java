package dev.mooring.benchmarks;

import java.util.Map;

/** A bar chart of how far each figure is above its bar; the line is the bar. */
public final class Plot {
  private static final int ROW = 26;
  private static final int LEFT = 260;
  private static final int WIDTH = 420;

  private Plot() {}

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
