package dev.mooring.reconcile;

import dev.mooring.audit.AuditSink;
import dev.mooring.informer.Informer;
import dev.mooring.reconcile.ControllerSpec.Part;
import dev.mooring.reconcile.ControllerSpec.SlowWork;
import dev.mooring.thread.VitalThreads;
import dev.mooring.time.Time;
import dev.mooring.workqueue.QueueStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link ControllerSpec}: waits for its caches, starts its parts in order and stops them in
 * the same order. Uses only threads and timers of the given time. Started once and stopped once.
 * After the stop no part starts; an action that is in progress is awaited only in the background.
 * Thread-safe.
 */
public final class ControllerRuntime implements Controller {
  private record Running(Worker<?> worker, boolean duty) {}

  private final ControllerSpec spec;
  private final Time time;
  private final AuditSink audit;
  private final List<Running> running = new ArrayList<>(); // guarded by this
  private final List<Time.Cancellable> timers = new ArrayList<>(); // guarded by this
  private boolean stopped; // guarded by this
  private volatile boolean started;
  private volatile @Nullable Thread background;

  public ControllerRuntime(ControllerSpec spec, Time time) {
    this(spec, time, AuditSink.NONE);
  }

  public ControllerRuntime(ControllerSpec spec, Time time, AuditSink audit) {
    this.spec = spec;
    this.time = time;
    this.audit = audit;
  }

  @Override
  public String name() {
    return spec.name();
  }

  @Override
  public List<Informer<?>> reads() {
    List<Informer<?>> all = new ArrayList<>(spec.reads());
    all.addAll(spec.uses());
    return List.copyOf(all);
  }

  @Override
  public void start() throws InterruptedException {
    for (Informer<?> informer : spec.reads()) {
      informer.awaitSynced();
    }
    begin(spec.parts());
  }

  private void begin(List<Part> parts) throws InterruptedException {
    for (int i = 0; i < parts.size(); i++) {
      if (isStopped()) {
        return;
      }
      switch (parts.get(i)) {
        case Part.Once(ControllerSpec.Action action) -> action.run();
        case Part.Loop<?> loop -> startLoop(loop);
        case Part.FirstPass(var queue, Duration atMost) -> queue.awaitIdle(atMost);
        case Part.Every every -> repeat(every);
        case Part.Background() -> {
          beginInBackground(parts.subList(i + 1, parts.size()));
          return;
        }
      }
    }
    started = true;
  }

  private synchronized boolean isStopped() {
    return stopped;
  }

  private synchronized void beginInBackground(List<Part> parts) {
    if (!stopped) {
      background =
          VitalThreads.startOnce(
              time,
              name() + "-start",
              () -> {
                try {
                  begin(parts);
                } catch (InterruptedException stopping) {
                  Thread.currentThread().interrupt();
                }
              });
    }
  }

  private synchronized <K> void startLoop(Part.Loop<K> loop) {
    if (!stopped) {
      Worker<K> worker =
          new Worker<>(
              loop.queue(), loop.reconciler(), loop.parallelism(), new Worker.Audit(name(), audit));
      running.add(new Running(worker, loop.duty()));
      worker.start();
    }
  }

  private synchronized void repeat(Part.Every every) {
    if (stopped) {
      return;
    }
    int slot = timers.size();
    timers.add(() -> {});
    schedule(every.first(), every.action(), slot);
  }

  private synchronized void schedule(Duration delay, Supplier<Duration> action, int slot) {
    if (!stopped) {
      timers.set(slot, time.schedule(delay, () -> schedule(action.get(), action, slot)));
    }
  }

  @Override
  public boolean stop(Duration grace) throws InterruptedException {
    long end = time.nanos() + grace.toNanos();
    List<Running> loops;
    synchronized (this) {
      stopped = true;
      timers.forEach(Time.Cancellable::cancel);
      loops = List.copyOf(running);
    }
    boolean clean = true;
    Thread starting = background;
    if (starting != null) {
      starting.interrupt();
      clean = time.join(starting, Worker.INTERRUPT_WAIT);
    }
    for (Running loop : loops) {
      clean &= loop.worker().stop(loop.duty() ? left(end) : Duration.ZERO) || !loop.duty();
    }
    for (SlowWork work : spec.work()) {
      clean &= work.close(left(end));
    }
    return clean;
  }

  private Duration left(long end) {
    return Duration.ofNanos(Math.max(0, end - time.nanos()));
  }

  @Override
  public boolean isIdle() {
    return started
        && IdleCheck.is(
            spec.loops().stream().filter(Part.Loop::duty).map(Part.Loop::queue).toList(),
            spec.work());
  }

  @Override
  public List<QueueStats> queueStats() {
    return spec.loops().stream().map(loop -> loop.queue().stats()).toList();
  }
}
