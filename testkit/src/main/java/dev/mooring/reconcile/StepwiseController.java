package dev.mooring.reconcile;

import dev.mooring.reconcile.ControllerSpec.Part;
import dev.mooring.reconcile.ControllerSpec.SlowWork;
import dev.mooring.time.Time;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Runs a controller on the caller's thread, one key at a time, for tests that control the order of
 * events. Each key passes through the same worker as in production. Not thread-safe.
 */
public final class StepwiseController {
  private static final int ROUNDS = 1000; // bounds a hot loop

  private final ControllerSpec spec;
  private final Time time;
  private final Map<WorkQueue<?>, Worker<?>> workers = new LinkedHashMap<>();
  private boolean closed;

  public StepwiseController(ControllerSpec spec, Time time) {
    this.spec = spec;
    this.time = time;
    spec.loops().forEach(this::add);
  }

  private <K> void add(Part.Loop<K> loop) {
    workers.put(loop.queue(), new Worker<>(loop.queue(), loop.reconciler(), loop.parallelism()));
  }

  /** Starts the controller as the runtime does, and completes the first passes in this call. */
  public void start() throws InterruptedException {
    startParts(true);
  }

  /** Starts the controller and leaves all keys in their queues. */
  public void startWithoutFirstPasses() throws InterruptedException {
    startParts(false);
  }

  private void startParts(boolean completesFirstPasses) throws InterruptedException {
    for (Part part : spec.parts()) {
      switch (part) {
        case Part.StartupAction once -> once.action().run();
        case Part.FirstPass(WorkQueue<?> queue, Duration _) -> {
          while (completesFirstPasses && step(queue)) {
            // until the pass is complete
          }
        }
        case Part.PeriodicAction every -> repeat(every.initialDelay(), every.action());
        case Part.Loop<?> _, Part.Background _ -> {}
      }
    }
  }

  private void repeat(Duration delay, Supplier<Duration> action) {
    time.schedule(
        delay,
        () -> {
          if (!closed) {
            repeat(action.get(), action);
          }
        });
  }

  /** Reconciles one key of the named queue. Returns false if no key is due. */
  public boolean step(String queue) throws InterruptedException {
    return step(
        workers.keySet().stream().filter(q -> q.name().equals(queue)).findFirst().orElseThrow());
  }

  private boolean step(WorkQueue<?> queue) throws InterruptedException {
    Worker<?> worker = workers.get(queue);
    return worker != null && queue.depth() > 0 && worker.processNext();
  }

  /** Reconciles one key of each queue. Returns false if no key is due. */
  public boolean stepEach() throws InterruptedException {
    boolean hasStepped = false;
    for (WorkQueue<?> queue : List.copyOf(workers.keySet())) {
      hasStepped |= step(queue);
    }
    return hasStepped;
  }

  /** Reconciles until all queues are empty. */
  public void settle() throws InterruptedException {
    boolean hasStepped = true;
    while (hasStepped) {
      hasStepped = stepEach();
    }
  }

  /**
   * Reconciles one key of each queue per round, until the condition holds or no key is due. Call
   * again while work on other threads may add keys.
   *
   * @return whether the condition holds
   */
  public boolean stepTo(BooleanSupplier condition) throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      if (condition.getAsBoolean()) {
        return true;
      }
      if (!stepEach()) {
        return false;
      }
    }
    return false;
  }

  /** Returns true if no key is due now or within a second. */
  public boolean isIdle() {
    return IdleCheck.isIdle(workers.keySet(), spec.work());
  }

  /** Returns true if no slow work runs on its threads; queues may have keys. */
  public boolean isWorkQuiet() {
    return spec.work().stream().allMatch(SlowWork::isQuiet);
  }

  /** Stops the controller without waiting for work in progress. */
  public void close() throws InterruptedException {
    closed = true;
    for (WorkQueue<?> queue : new ArrayList<>(workers.keySet())) {
      queue.shutDown();
    }
    for (SlowWork work : spec.work()) {
      work.close(Duration.ZERO);
    }
  }
}
