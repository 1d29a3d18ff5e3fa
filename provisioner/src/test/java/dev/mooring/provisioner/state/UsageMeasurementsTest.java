package dev.mooring.provisioner.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.provisioner.decide.UsageMeasurement;
import dev.mooring.provisioner.decide.UsageMeasurement.Report;
import org.junit.jupiter.api.Test;

class UsageMeasurementsTest {
  private final UsageMeasurements measurements = new UsageMeasurements();

  private boolean record(String volume, long bytes, String capacity) {
    UsageMeasurement measurement =
        new UsageMeasurement(ObjectKey.of("ns", "c"), volume, bytes, 1, Quantity.of(capacity));
    Report report = measurement.reportSince(measurements.replace(Uid.of(volume), measurement));
    assertThat(report).isIn(Report.NOTHING, measurement.isOver() ? Report.OVER : Report.WITHIN);
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
  void usage_forgotten_isReportedAgain() {
    record("a", 2000, "1Ki");
    measurements.forget(Uid.of("a"));
    assertThat(measurements.listMeasurements()).isEmpty();
    assertThat(record("a", 2000, "1Ki")).isTrue();
  }
}
