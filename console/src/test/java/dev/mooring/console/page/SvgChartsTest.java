package dev.mooring.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.console.html.HtmlNode;
import dev.mooring.console.view.BoundTimes.Bucket;
import java.util.List;
import org.junit.jupiter.api.Test;

class SvgChartsTest {
  @Test
  void sparkline_threeValues_spansWholeWidth() {
    String html = HtmlNode.document(SvgCharts.sparkline(List.of(0, 5, 10), "waiting"));
    assertThat(html)
        .contains("points=\"0.0,56.0 300.0,30.0 600.0,4.0\"")
        .contains("role=\"img\" aria-label=\"waiting\"");
  }

  @Test
  void histogram_emptyBucketsAtEnds_areOmitted() {
    String html =
        HtmlNode.document(
            SvgCharts.histogram(
                List.of(
                    new Bucket(0, 10, 0),
                    new Bucket(10, 30, 4),
                    new Bucket(30, 100, 0),
                    new Bucket(100, 1000, 1),
                    new Bucket(1000, Long.MAX_VALUE, 0))));
    assertThat(html)
        .contains("10 ms to 30 ms", "30 ms to 100 ms", "100 ms to 1 s")
        .doesNotContain("under", "or more")
        .contains("width=\"100\"", "width=\"25\"", "width=\"0\"");
  }

  @Test
  void formatDuration_anyLength_hasSuitableUnit() {
    assertThat(List.of(0L, 340L, 1000L, 2500L, 40_400L, 60_000L, 300_000L, 7_200_000L))
        .extracting(SvgCharts::formatDuration)
        .containsExactly("0 ms", "340 ms", "1 s", "2.5 s", "40 s", "60s", "5m", "2h");
  }
}
