package dev.mooring.manager.console;

import dev.mooring.console.view.ApiServerOutage;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Detects within seconds that the API server is unreachable. Sends requests only after a list or
 * watch has failed, until the server answers. Thread-safe.
 */
final class OutageWatch {
  static final Duration INTERVAL = Duration.ofSeconds(2);

  private final LongSupplier failures;
  private final Supplier<String> probe;
  private final Time time;
  private final List<Consumer<Optional<ApiServerOutage>>> listeners = new CopyOnWriteArrayList<>();
  private volatile Optional<ApiServerOutage> outage = Optional.empty();
  private volatile boolean isRunning;
  private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});
  private long failuresBeforeProbe; // number of failures before the last successful probe

  OutageWatch(LongSupplier failures, Supplier<String> probe, Time time) {
    this.failures = failures;
    this.probe = probe;
    this.time = time;
  }

  void start() {
    isRunning = true;
    thread = time.newThread("console-outage", this::run);
    thread.start();
  }

  void stop() throws InterruptedException {
    isRunning = false;
    thread.interrupt();
    thread.join();
  }

  void onChange(Consumer<Optional<ApiServerOutage>> listener) {
    listeners.add(listener);
    outage.ifPresent(current -> listener.accept(Optional.of(current)));
  }

  private void run() {
    try {
      while (isRunning) {
        check();
        time.sleep(INTERVAL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void check() {
    long currentFailures = failures.getAsLong();
    if (currentFailures == failuresBeforeProbe && outage.isEmpty()) {
      return;
    }
    String problem = probe.get();
    if (!isRunning && Thread.currentThread().isInterrupted()) {
      return;
    }
    if (problem.isEmpty()) {
      failuresBeforeProbe = currentFailures;
      setOutage(Optional.empty());
    } else if (outage.isEmpty()) {
      setOutage(Optional.of(new ApiServerOutage(time.now(), problem)));
    }
  }

  private void setOutage(Optional<ApiServerOutage> newOutage) {
    if (newOutage.isPresent() || outage.isPresent()) {
      outage = newOutage;
      listeners.forEach(listener -> listener.accept(newOutage));
    }
  }
}
