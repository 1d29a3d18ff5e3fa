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
 * Plays what a controller declares on the caller's own thread, one key at a time: for tests that
 * say what happens when. Each key goes through the very worker that the runtime would start. Not
 * thread-safe.
 */
public final class Stepwise {
  private static final int ROUNDS = 1000; // or a hot loop would outlast any patience

  private final ControllerSpec spec;
  private final Time time;
  private final Map<WorkQueue<?>, Worker<?>> workers = new LinkedHashMap<>();
  private boolean closed;

  /** A controller that does nothing yet. */
  public Stepwise(ControllerSpec spec, Time time) {
    this.spec = spec;
    this.time = time;
    spec.loops().forEach(this::add);
  }

  private <K> void add(Part.Loop<K> loop) {
    workers.put(loop.queue(), new Worker<>(loop.queue(), loop.reconciler(), loop.parallelism()));
  }

  /** Begins as the runtime does, whose first passes are made here and now. */
  public void begin() throws InterruptedException {
    begin(true);
  }

  /** Begins, and leaves all keys where they are queued. */
  public void listen() throws InterruptedException {
    begin(false);
  }

  private void begin(boolean firstPasses) throws InterruptedException {
    for (Part part : spec.parts()) {
      switch (part) {
        case Part.Once once -> once.action().run();
        case Part.FirstPass(WorkQueue<?> queue, Duration _) -> {
          while (firstPasses && step(queue)) {
            // to its end
          }
        }
        case Part.Every every -> repeat(every.first(), every.action());
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

  /** Reconciles a key of the queue of that name; false if none is due. */
  public boolean step(String queue) throws InterruptedException {
    return step(
        workers.keySet().stream().filter(q -> q.name().equals(queue)).findFirst().orElseThrow());
  }

  private boolean step(WorkQueue<?> queue) throws InterruptedException {
    Worker<?> worker = workers.get(queue);
    return worker != null && queue.depth() > 0 && worker.processNext();
  }

  /** Reconciles a key of every queue that has one; false if none has. */
  public boolean stepEach() throws InterruptedException {
    boolean some = false;
    for (WorkQueue<?> queue : List.copyOf(workers.keySet())) {
      some |= step(queue);
    }
    return some;
  }

  /** Reconciles until no queue has a key. */
  public void settle() throws InterruptedException {
    boolean some = true;
    while (some) {
      some = stepEach();
    }
  }

  /**
   * Reconciles a key of every queue at a time until that is so, or nothing is due. Who waits for
   * what works on threads of its own asks again.
   *
   * @return whether that is so
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

  /** Whether nothing is due, nor will be within a second. */
  public boolean isIdle() {
    return Rest.is(workers.keySet(), spec.work());
  }

  /** Returns true if no slow work runs on its threads; queues may have keys. */
  public boolean isWorkQuiet() {
    return spec.work().stream().allMatch(SlowWork::isQuiet);
  }

  /** Ends, whatever is under way. */
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
