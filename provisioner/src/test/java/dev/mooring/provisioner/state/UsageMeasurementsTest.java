package dev.mooring.provisioner.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.provisioner.decide.UsageMeasurement;
import dev.mooring.provisioner.decide.UsageMeasurement.Report;
import dev.mooring.spi.UsageMeter.Usage;
import org.junit.jupiter.api.Test;

class UsageMeasurementsTest {
  private final UsageMeasurements measurements = new UsageMeasurements();

  private Report report(String volume, Usage usage, String capacity) {
    UsageMeasurement measurement =
        new UsageMeasurement(
            ObjectKey.of("ns", "c"),
            volume,
            usage.bytes(),
            usage.files(),
            usage.unreadableDirectories(),
            Quantity.of(capacity));
    return measurement.reportSince(measurements.replace(Uid.of(volume), measurement));
  }

  private boolean record(String volume, long bytes, String capacity) {
    Report report = report(volume, new Usage(bytes, 1), capacity);
    boolean isOver = bytes > Quantity.of(capacity).toBytesCeiling();
    assertThat(report).isIn(Report.NOTHING, isOver ? Report.OVER : Report.WITHIN);
    return report != Report.NOTHING;
  }

  @Test
  void usage_limitCrossed_isReportedOnce() {
    assertThat(record("a", 10, "1Ki")).isFalse();
    assertThat(record("a", 1024, "1Ki")).as("full is not over").isFalse();
    assertThat(record("a", 1025, "1Ki")).isTrue();
    assertThat(record("a", 2000, "1Ki")).isFalse();
    assertThat(record("b", 2000, "1Ki")).as("another one").isTrue();
    assertThat(record("a", 2000, "2Ki")).as("capacity has grown").isTrue();
    assertThat(record("a", 2000, "2Ki")).isFalse();
  }

  @Test
  void usage_lowerBound_isReportedOnce() {
    assertThat(report("a", new Usage(10, 1, 2), "1Ki")).isEqualTo(Report.INCOMPLETE);
    assertThat(report("a", new Usage(11, 1, 3), "1Ki")).isEqualTo(Report.NOTHING);
    assertThat(report("a", new Usage(2000, 1, 3), "1Ki")).isEqualTo(Report.OVER);
    assertThat(report("a", new Usage(10, 1, 3), "1Ki")).isEqualTo(Report.INCOMPLETE);
    assertThat(report("a", new Usage(10, 1), "1Ki")).isEqualTo(Report.WITHIN);
  }

  @Test
  void usage_forgotten_isReportedAgain() {
    record("a", 2000, "1Ki");
    measurements.forget(Uid.of("a"));
    assertThat(measurements.listMeasurements()).isEmpty();
    assertThat(record("a", 2000, "1Ki")).isTrue();
  }
}
