package dev.mooring.it.soak;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A linear trend of samples.
 *
 * @param mean of all samples
 * @param growth from the first to the last sample, along the line
 */
record Trend(double mean, double growth) {
  /** Fits a line by least squares. */
  static Trend of(List<ResourceSample> samples, ToDoubleFunction<ResourceSample> value) {
    double x = samples.stream().mapToDouble(ResourceSample::seconds).average().orElseThrow();
    double y = samples.stream().mapToDouble(value).average().orElseThrow();
    double covariance = 0;
    double variance = 0;
    for (ResourceSample sample : samples) {
      covariance += (sample.seconds() - x) * (value.applyAsDouble(sample) - y);
      variance += (sample.seconds() - x) * (sample.seconds() - x);
    }
    double length = samples.getLast().seconds() - samples.getFirst().seconds();
    return new Trend(y, variance == 0 ? 0 : covariance / variance * length);
  }
}
