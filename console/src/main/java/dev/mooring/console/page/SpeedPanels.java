package dev.mooring.console.page;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.html.HtmlNode.Element;
import dev.mooring.console.view.BoundTimes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

final class SpeedPanels {
  private static final int MINUTES_OF_HOUR = 60;

  private SpeedPanels() {}

  static List<HtmlNode> of(OverviewPage.ControllerSpeed speed) {
    List<HtmlNode> panels = new ArrayList<>();
    if (speed.waiting().size() > 1) {
      panels.add(waitingPanel(speed.waiting()));
    }
    speed.bound().ifPresent(times -> panels.add(boundPanel(times)));
    panels.add(ratePanel(speed));
    return panels;
  }

  private static HtmlNode waitingPanel(List<Integer> counts) {
    int min = Collections.min(counts);
    int max = Collections.max(counts);
    String period =
        counts.size() < MINUTES_OF_HOUR
            ? CountText.count(counts.size(), "minute", "minutes")
            : "hour";
    String text =
        min == max
            ? "%,d, unchanged in the last %s".formatted(max, period)
            : "%,d now; between %,d and %,d in the last %s"
                .formatted(counts.getLast(), min, max, period);
    return PageElements.panel(
        "history",
        "Waiting claims",
        HtmlNode.all(
            List.of(
                SvgCharts.sparkline(counts, "Waiting claims: " + text), PageElements.quiet(text))));
  }

  private static HtmlNode boundPanel(BoundTimes.Summary times) {
    return PageElements.panel(
        "bound",
        "Time to bound",
        HtmlNode.all(
            List.of(
                PageElements.quiet(
                    "%s: median %s, 95%% within %s, longest %s"
                        .formatted(
                            CountText.count(times.count(), "claim", "claims"),
                            SvgCharts.formatDuration(times.median()),
                            SvgCharts.formatDuration(times.percentile95()),
                            SvgCharts.formatDuration(times.max()))),
                SvgCharts.histogram(times.buckets()))));
  }

  private static HtmlNode ratePanel(OverviewPage.ControllerSpeed speed) {
    List<Element> rows = new ArrayList<>();
    speed
        .rates()
        .forEach((event, rate) ->
            rows.add(
                PageElements.row(
                    PageElements.head(HtmlNode.text(event.title())),
                    PageElements.amountCell(rate.lastMinute()),
                    PageElements.amountCell(rate.lastTenMinutes()))));
    return PageElements.panel(
        "rates",
        "Throughput",
        PageElements.matrix(
            "Completed operations", List.of("Operation", "1 minute", "10 minutes"), rows));
  }

  static Map<String, Object> tree(BoundTimes.Summary times) {
    return JsonTrees.map(
        "claims", times.count(),
        "p50Milliseconds", times.median(),
        "p95Milliseconds", times.percentile95(),
        "maxMilliseconds", times.max(),
        "histogram", times.buckets().stream().map(SpeedPanels::tree).toList());
  }

  private static Map<String, Object> tree(BoundTimes.Bucket bucket) {
    return bucket.to() == Long.MAX_VALUE
        ? JsonTrees.map("fromMilliseconds", bucket.from(), "count", bucket.count())
        : JsonTrees.map(
            "fromMilliseconds", bucket.from(),
            "toMilliseconds", bucket.to(),
            "count", bucket.count());
  }
}
