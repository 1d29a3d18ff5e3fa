package dev.mooring.manager.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the metric families in {@code docs/metrics.md} with those in the code. */
class MetricsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "metrics.md");
  private static final Path OPERATIONS = Path.of("..", "docs", "operations.md");
  private static final Path SOURCES = Path.of("src", "main", "java", "dev", "mooring", "manager");

  /** Calls that create a family with the given name. */
  private static final Pattern FAMILY =
      Pattern.compile(
          "(counter|gauge|histogram|info|summary|addOperation)\\(\\s*(?:families,\\s*)?\"(\\w+)\"");

  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]+`) \\| (\\w+) \\|");
  private static final Pattern QUOTED = Pattern.compile("`(\\w+)`");
  private static final Pattern MOORING_METRIC = Pattern.compile("`(mooring_\\w+?)(?:\\{[^`]*)?`");

  private static final Set<String> WITHOUT_TOTAL =
      Set.of(
          "volume_operation_total_errors",
          "attach_detach_controller_attachdetach_controller_forced_detaches",
          "volume_data_source_validator_operation_count");

  private static void put(Map<String, String> families, String name, String type) {
    boolean hasSuffix = type.equals("counter") && !WITHOUT_TOTAL.contains(name);
    families.put(hasSuffix ? name + "_total" : name, type);
  }

  private static Map<String, String> exportedFamilies() throws IOException {
    Map<String, String> families = new TreeMap<>();
    try (Stream<Path> sources = Files.walk(SOURCES)) {
      for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
        Matcher family = FAMILY.matcher(Files.readString(source));
        while (family.find()) {
          String name = family.group(2);
          if (family.group(1).equals("addOperation")) {
            put(families, name, "counter");
            put(families, name + "_failed", "counter");
            put(families, name + "_duration_seconds", "histogram");
          } else if (family.group(1).equals("info")) {
            put(families, name + "_info", "gauge");
          } else {
            put(families, name, family.group(1));
          }
        }
      }
    }
    return families;
  }

  private static Map<String, String> documentedFamilies() throws IOException {
    Map<String, String> families = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(PAGE));
    while (row.find()) {
      Matcher name = QUOTED.matcher(row.group(1));
      while (name.find()) {
        assertThat(families.put(name.group(1), row.group(2))).as(name.group(1)).isNull();
      }
    }
    return families;
  }

  @Test
  void page_familiesInCode_areListed() throws IOException {
    assertThat(exportedFamilies()).hasSizeGreaterThan(40).isEqualTo(documentedFamilies());
  }

  @Test
  void operationsPage_quotedMetrics_exist() throws IOException {
    Set<String> quotedMetrics = new TreeSet<>();
    Matcher metric = MOORING_METRIC.matcher(Files.readString(OPERATIONS));
    while (metric.find()) {
      quotedMetrics.add(metric.group(1));
    }
    assertThat(quotedMetrics).isNotEmpty();
    assertThat(documentedFamilies().keySet()).containsAll(quotedMetrics);
  }
}
