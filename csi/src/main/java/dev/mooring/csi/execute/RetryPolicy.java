package dev.mooring.csi.execute;

import dev.mooring.csi.decide.ContentRules;
import dev.mooring.csi.decide.ContentView;
import dev.mooring.reconcile.Outcome;
import dev.mooring.time.Time;
import java.time.Duration;
import java.time.Instant;

/**
 * Delays before a driver is called again for a content.
 *
 * @param minDelay minimum delay
 * @param maxDelay maximum delay, for requests that cannot succeed unchanged
 */
public record RetryPolicy(Time time, Duration minDelay, Duration maxDelay) {
  // Returns the next poll; the delay grows with the age of the content.
  Outcome poll(ContentView content) {
    Instant createdAt = Instant.ofEpochSecond(content.meta().created());
    Duration age = Duration.between(createdAt, time.now());
    return new Outcome.CheckAgain(ContentRules.pollDelay(age, minDelay));
  }

  Outcome retrySlowly() {
    return new Outcome.CheckAgain(maxDelay);
  }
}
