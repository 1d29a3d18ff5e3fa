package dev.mooring.apiserver;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The clock of a server: the system's clock with an offset. It sets the times of creation and
 * deletion, and those that simulated controllers write. Thread-safe.
 */
public final class ServerClock implements InstantSource {
  private final AtomicReference<Duration> offset = new AtomicReference<>(Duration.ZERO);

  ServerClock() {}

  @Override
  public Instant instant() {
    return Instant.now().plus(offset.get());
  }

  /** Moves the clock; a negative duration moves it back. */
  public void advance(Duration duration) {
    offset.accumulateAndGet(duration, Duration::plus);
  }
}
