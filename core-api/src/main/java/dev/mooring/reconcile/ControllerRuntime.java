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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link ControllerSpec}: waits for its caches, starts its parts in order and stops them in
 * the same order. If the API server refuses a kind, the start does not wait: the parts start in the
 * background when the kind can be listed. Uses only threads and timers of the given time. Started
 * once and stopped once. After the stop no part starts; an action that is in progress is awaited
 * only in the background. Thread-safe.
 */
public final class ControllerRuntime implements Controller {
  private record RunningLoop(Worker<?> worker, boolean isAwaited) {}

  private final ControllerSpec spec;
  private final Time time;
  private final AuditSink audit;
  private final PartCaches requiredCaches;
  private final List<PartCaches> optionalCaches;
  private final List<RunningLoop> runningLoops = new ArrayList<>(); // guarded by this
  private final List<Time.Cancellable> timers = new ArrayList<>(); // guarded by this
  private boolean stopped; // guarded by this
  private volatile boolean started;
  private volatile @Nullable Thread backgroundStart;

  public ControllerRuntime(ControllerSpec spec, Time time) {
    this(spec, time, AuditSink.NONE);
  }

  public ControllerRuntime(ControllerSpec spec, Time time, AuditSink audit) {
    this.spec = spec;
    this.time = time;
    this.audit = audit;
    this.requiredCaches = new PartCaches(spec.name(), spec.reads());
    this.optionalCaches =
        spec.uses().stream().map(use -> new PartCaches(use.part(), use.caches())).toList();
  }

  @Override
  public String name() {
    return spec.name();
  }

  @Override
  public List<Informer<?>> reads() {
    List<Informer<?>> caches = new ArrayList<>(spec.reads());
    spec.uses().forEach(use -> caches.addAll(use.caches()));
    return List.copyOf(caches);
  }

  @Override
  public void start() throws InterruptedException {
    for (Informer<?> informer : spec.reads()) {
      informer.awaitAnswer();
    }
    optionalCaches.forEach(caches -> caches.onComplete(() -> {}));
    if (requiredCaches.areComplete()) {
      startParts(spec.parts());
    } else {
      requiredCaches.onComplete(() -> startPartsInBackground(spec.parts()));
    }
  }

  @Override
  public List<StoppedPart> stoppedParts() {
    return Stream.concat(Stream.of(requiredCaches), optionalCaches.stream())
        .flatMap(caches -> caches.findStop().stream())
        .toList();
  }

  private void startParts(List<Part> parts) throws InterruptedException {
    for (int i = 0; i < parts.size(); i++) {
      if (isStopped()) {
        return;
      }
      switch (parts.get(i)) {
        case Part.StartupAction(ControllerSpec.Action action) -> action.run();
        case Part.Loop<?> loop -> startLoop(loop);
        case Part.FirstPass(var queue, Duration atMost) -> IdleCheck.awaitIdle(queue, atMost);
        case Part.PeriodicAction every -> repeat(every);
        case Part.Background() -> {
          startPartsInBackground(parts.subList(i + 1, parts.size()));
          return;
        }
      }
    }
    started = true;
  }

  private synchronized boolean isStopped() {
    return stopped;
  }

  private synchronized void startPartsInBackground(List<Part> parts) {
    if (!stopped) {
      backgroundStart =
          VitalThreads.startOnce(
              time,
              name() + "-start",
              () -> {
                try {
                  startParts(parts);
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
      runningLoops.add(new RunningLoop(worker, loop.isAwaited()));
      worker.start();
    }
  }

  private synchronized void repeat(Part.PeriodicAction every) {
    if (stopped) {
      return;
    }
    int timerIndex = timers.size();
    timers.add(() -> {});
    schedule(every.initialDelay(), every.action(), timerIndex);
  }

  private synchronized void schedule(Duration delay, Supplier<Duration> action, int timerIndex) {
    if (!stopped) {
      timers.set(
          timerIndex, time.schedule(delay, () -> schedule(action.get(), action, timerIndex)));
    }
  }

  @Override
  public boolean stop(Duration grace) throws InterruptedException {
    long deadline = time.nanos() + grace.toNanos();
    List<RunningLoop> loops;
    synchronized (this) {
      stopped = true;
      timers.forEach(Time.Cancellable::cancel);
      loops = List.copyOf(runningLoops);
    }
    boolean allFinished = true;
    Thread startThread = backgroundStart;
    if (startThread != null) {
      startThread.interrupt();
      allFinished = time.join(startThread, Worker.INTERRUPT_WAIT);
    }
    for (RunningLoop loop : loops) {
      allFinished &=
          loop.worker().stop(loop.isAwaited() ? remainingTime(deadline) : Duration.ZERO)
              || !loop.isAwaited();
    }
    for (SlowWork work : spec.work()) {
      allFinished &= work.close(remainingTime(deadline));
    }
    return allFinished;
  }

  private Duration remainingTime(long deadline) {
    return Duration.ofNanos(Math.max(0, deadline - time.nanos()));
  }

  @Override
  public boolean isIdle() {
    return requiredCaches.findStop().isPresent()
        || started
            && IdleCheck.isIdle(
                spec.loops().stream().filter(Part.Loop::isAwaited).map(Part.Loop::queue).toList(),
                spec.work());
  }

  @Override
  public List<QueueStats> queueStats() {
    return spec.loops().stream().map(loop -> loop.queue().stats()).toList();
  }
}
