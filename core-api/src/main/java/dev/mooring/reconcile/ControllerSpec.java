package dev.mooring.reconcile;

import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.model.Resource;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Declaration of a controller: caches, event handlers, queues with reconcilers, slow work, and the
 * order in which they start. {@link ControllerRuntime} runs it.
 *
 * @param name name in {@code --controllers}, logs and metrics
 * @param reads caches that must be complete before the first part starts. If the API server refuses
 *     one of them, the controller stays off until it can be listed
 * @param uses other caches that the host fills. The controller does not wait for them, and uses
 *     them once they are complete, perhaps never
 * @param parts parts in the order of their start
 * @param work slow work that the queues start; stopped after them
 */
public record ControllerSpec(
    String name,
    List<Informer<?>> reads,
    List<OptionalCaches> uses,
    List<Part> parts,
    List<SlowWork> work) {
  public ControllerSpec {
    reads = List.copyOf(reads);
    uses = List.copyOf(uses);
    parts = List.copyOf(parts);
    work = List.copyOf(work);
  }

  /**
   * Caches that only a part of the controller needs.
   *
   * @param part name of that part in logs
   */
  public record OptionalCaches(String part, List<Informer<?>> caches) {
    public OptionalCaches {
      caches = List.copyOf(caches);
    }
  }

  public sealed interface Part {
    record StartupAction(Action action) implements Part {}

    /**
     * Reconciles keys until the controller stops.
     *
     * @param queue source of keys; its name is the loop's name
     * @param parallelism number of concurrent keys, at least 1
     * @param isAwaited whether idle checks and the stop wait for queued keys
     * @param <K> type of the keys
     */
    record Loop<K>(WorkQueue<K> queue, Reconciler<K> reconciler, int parallelism, boolean isAwaited)
        implements Part {}

    /**
     * Delays the following parts until the queue is idle for the first time.
     *
     * @param queue queue of a loop that has started
     * @param atMost limit of the delay
     */
    record FirstPass(WorkQueue<?> queue, Duration atMost) implements Part {}

    /** Starts the following parts in the background, so that other controllers need not wait. */
    record Background() implements Part {}

    /**
     * Runs an action repeatedly on a timer thread; it must be quick.
     *
     * @param initialDelay delay before the first run
     * @param action returns the delay before the next run
     */
    record PeriodicAction(Duration initialDelay, Supplier<Duration> action) implements Part {}
  }

  @FunctionalInterface
  public interface Action {
    void run() throws InterruptedException;
  }

  /** Work that continues after the reconcile that started it. Thread-safe. */
  public interface SlowWork {
    boolean isQuiet();

    /**
     * Rejects new work and waits for running work; interrupts it after the grace period.
     *
     * @return whether all work ended without an interrupt
     */
    boolean close(Duration grace) throws InterruptedException;
  }

  public static Builder builder(String name) {
    return new Builder(name);
  }

  public List<Part.Loop<?>> loops() {
    List<Part.Loop<?>> loops = new ArrayList<>();
    for (Part part : parts) {
      if (part instanceof Part.Loop<?> loop) {
        loops.add(loop);
      }
    }
    return loops;
  }

  /** Builds a declaration; parts start in the order of the calls. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private final List<Informer<?>> reads = new ArrayList<>();
    private final List<OptionalCaches> uses = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private final List<SlowWork> work = new ArrayList<>();

    private Builder(String name) {
      this.name = name;
    }

    /** Adds caches that must be complete before the start. */
    public Builder reads(Informer<?>... caches) {
      reads.addAll(List.of(caches));
      return this;
    }

    /**
     * Adds caches that the controller does not wait for.
     *
     * @param part name of the part that needs them, for logs
     */
    public Builder uses(String part, Informer<?>... caches) {
      uses.add(new OptionalCaches(part, List.of(caches)));
      return this;
    }

    public <T extends Resource> Builder addHandler(
        Informer<T> informer, Consumer<Change<T>> handler) {
      return once(() -> informer.addHandler(handler));
    }

    public <T extends Resource> Builder addChangeHandler(
        Informer<T> informer, Consumer<Change<T>> handler) {
      return once(() -> informer.onChange(handler));
    }

    public Builder once(Action action) {
      parts.add(new Part.StartupAction(action));
      return this;
    }

    public <K> Builder loop(WorkQueue<K> queue, Reconciler<K> reconciler, int parallelism) {
      parts.add(new Part.Loop<>(queue, reconciler, parallelism, true));
      return this;
    }

    /** Adds a single-threaded loop that idle checks and the stop do not wait for. */
    public <K> Builder patrol(WorkQueue<K> queue, Reconciler<K> reconciler) {
      parts.add(new Part.Loop<>(queue, reconciler, 1, false));
      return this;
    }

    public Builder firstPass(WorkQueue<?> queue, Duration atMost) {
      parts.add(new Part.FirstPass(queue, atMost));
      return this;
    }

    public Builder background() {
      parts.add(new Part.Background());
      return this;
    }

    public Builder repeat(Duration period, Runnable action) {
      return repeat(
          period,
          () -> {
            action.run();
            return period;
          });
    }

    public Builder repeat(Duration initialDelay, Supplier<Duration> action) {
      parts.add(new Part.PeriodicAction(initialDelay, action));
      return this;
    }

    public Builder work(SlowWork slowWork) {
      work.add(slowWork);
      return this;
    }

    public ControllerSpec build() {
      return new ControllerSpec(name, reads, uses, parts, work);
    }
  }
}
