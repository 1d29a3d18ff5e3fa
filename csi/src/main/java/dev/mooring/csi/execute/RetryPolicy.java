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
 * @param first minimum delay
 * @param last maximum delay, for requests that cannot succeed unchanged
 */
public record RetryPolicy(Time time, Duration first, Duration last) {
  // Returns the next poll; the delay grows with the age of the content.
  Outcome poll(ContentView content) {
    Instant since = Instant.ofEpochSecond(content.meta().created());
    Duration age = Duration.between(since, time.now());
    return new Outcome.CheckAgain(ContentRules.pollAfter(age, first));
  }

  Outcome slowly() {
    return new Outcome.CheckAgain(last);
  }
}
