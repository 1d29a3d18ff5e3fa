package dev.mooring.manager.console;

import dev.mooring.console.view.Outage;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Notices within seconds that the API server does not answer. At rest it asks the server nothing:
 * it does so only after a list or a watch has failed, and until the server answers. Thread-safe.
 */
final class OutageWatch {
  static final Duration INTERVAL = Duration.ofSeconds(2);

  private final LongSupplier failures;
  private final Supplier<String> probe;
  private final Time time;
  private final List<Consumer<Optional<Outage>>> listeners = new CopyOnWriteArrayList<>();
  private volatile Optional<Outage> outage = Optional.empty();
  private volatile boolean running;
  private volatile Thread thread = Thread.ofVirtual().unstarted(() -> {});
  private long explained; // failures after which the server answered

  /**
   * Watches nothing yet.
   *
   * @param failures how many lists and watches have failed so far
   * @param probe asks the server; "" if it answers, else what is wrong
   */
  OutageWatch(LongSupplier failures, Supplier<String> probe, Time time) {
    this.failures = failures;
    this.probe = probe;
    this.time = time;
  }

  void start() {
    running = true;
    thread = time.thread("console-outage", this::run);
    thread.start();
  }

  void stop() throws InterruptedException {
    running = false;
    thread.interrupt();
    thread.join();
  }

  void onChange(Consumer<Optional<Outage>> listener) {
    listeners.add(listener);
    outage.ifPresent(now -> listener.accept(Optional.of(now)));
  }

  private void run() {
    try {
      while (running) {
        check();
        time.sleep(INTERVAL);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  void check() {
    long failed = failures.getAsLong();
    if (failed == explained && outage.isEmpty()) {
      return;
    }
    String problem = probe.get();
    if (!running && Thread.currentThread().isInterrupted()) {
      return;
    }
    if (problem.isEmpty()) {
      explained = failed;
      change(Optional.empty());
    } else if (outage.isEmpty()) {
      change(Optional.of(new Outage(time.now(), problem)));
    }
  }

  private void change(Optional<Outage> now) {
    if (now.isPresent() || outage.isPresent()) {
      outage = now;
      listeners.forEach(listener -> listener.accept(now));
    }
  }
}
