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
 * What a controller declares of itself: which caches it rests on, what it listens to, its queues
 * with their reconcilers, the slow work that they begin, and in which order all of it begins. It
 * does nothing; {@link ControllerRuntime} runs it, and nothing else does.
 *
 * @param name the controller's name in {@code --controllers}, logs and metrics
 * @param reads the caches that have to be complete before anything of it begins
 * @param uses caches that are filled for it and that it does not wait for: what it does with them
 *     it does as soon as they are complete, which they may never be
 * @param parts what begins then, in this order
 * @param work slow work that goes on beside the queues; ended after them
 */
public record ControllerSpec(
    String name,
    List<Informer<?>> reads,
    List<Informer<?>> uses,
    List<Part> parts,
    List<SlowWork> work) {
  /** Copies the lists. */
  public ControllerSpec {
    reads = List.copyOf(reads);
    uses = List.copyOf(uses);
    parts = List.copyOf(parts);
    work = List.copyOf(work);
  }

  /** One thing that begins. */
  public sealed interface Part {
    /** Done once: event handlers are registered, what is there already is recovered. */
    record Once(Action action) implements Part {}

    /**
     * Keys are reconciled from now on, until the controller stops.
     *
     * @param queue where keys come from; the loop's name is the queue's
     * @param reconciler what is done with each
     * @param parallelism how many keys at once, at least 1
     * @param duty whether what is queued has to be done: else nobody waits for it, neither at rest
     *     nor at the end
     * @param <K> the key
     */
    record Loop<K>(WorkQueue<K> queue, Reconciler<K> reconciler, int parallelism, boolean duty)
        implements Part {}

    /**
     * What follows waits until that queue has nothing to do for the first time.
     *
     * @param queue the queue of a loop that has begun
     * @param atMost for how long it waits
     */
    record FirstPass(WorkQueue<?> queue, Duration atMost) implements Part {}

    /** Other controllers need not wait for what follows. */
    record Background() implements Part {}

    /**
     * Done again and again from now on, on a timer's thread: quick.
     *
     * @param first the time before it is done first
     * @param action does it, and answers the time before it is done next
     */
    record Every(Duration first, Supplier<Duration> action) implements Part {}
  }

  /** Something that is done once, at the start. */
  @FunctionalInterface
  public interface Action {
    /**
     * Does it; may block.
     *
     * @throws InterruptedException if the controller is stopped meanwhile
     */
    void run() throws InterruptedException;
  }

  /** Work that goes on after the reconcile that began it. Implementations are thread-safe. */
  public interface SlowWork {
    /** Whether none is under way, nor due within a second. */
    boolean isQuiet();

    /**
     * Takes nothing new and lets what is under way end; interrupts it when the grace is over.
     *
     * @return whether everything ended by itself
     */
    boolean close(Duration grace) throws InterruptedException;
  }

  /** Begins the declaration of the controller of that name. */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** Its loops, in the order in which they begin. */
  public List<Part.Loop<?>> loops() {
    List<Part.Loop<?>> loops = new ArrayList<>();
    for (Part part : parts) {
      if (part instanceof Part.Loop<?> loop) {
        loops.add(loop);
      }
    }
    return loops;
  }

  /** Collects a declaration; parts begin in the order of the calls. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private final List<Informer<?>> reads = new ArrayList<>();
    private final List<Informer<?>> uses = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private final List<SlowWork> work = new ArrayList<>();

    private Builder(String name) {
      this.name = name;
    }

    /** It begins when these caches are complete. */
    public Builder reads(Informer<?>... caches) {
      reads.addAll(List.of(caches));
      return this;
    }

    /** These caches are filled too; it begins without them. */
    public Builder uses(Informer<?>... caches) {
      uses.addAll(List.of(caches));
      return this;
    }

    /** Every object that is there, and every change from now on, goes to that handler. */
    public <T extends Resource> Builder on(Informer<T> informer, Consumer<Change<T>> handler) {
      return once(() -> informer.addHandler(handler));
    }

    /** Every change from now on goes to that handler; what is there already does not. */
    public <T extends Resource> Builder onChange(
        Informer<T> informer, Consumer<Change<T>> handler) {
      return once(() -> informer.onChange(handler));
    }

    /** See {@link Part.Once}. */
    public Builder once(Action action) {
      parts.add(new Part.Once(action));
      return this;
    }

    /** See {@link Part.Loop}. */
    public <K> Builder loop(WorkQueue<K> queue, Reconciler<K> reconciler, int parallelism) {
      parts.add(new Part.Loop<>(queue, reconciler, parallelism, true));
      return this;
    }

    /** A loop of one thread that looks round now and then: nobody waits for it. */
    public <K> Builder patrol(WorkQueue<K> queue, Reconciler<K> reconciler) {
      parts.add(new Part.Loop<>(queue, reconciler, 1, false));
      return this;
    }

    /** See {@link Part.FirstPass}. */
    public Builder firstPass(WorkQueue<?> queue, Duration atMost) {
      parts.add(new Part.FirstPass(queue, atMost));
      return this;
    }

    /** See {@link Part.Background}. */
    public Builder background() {
      parts.add(new Part.Background());
      return this;
    }

    /** See {@link Part.Every}: always after that time. */
    public Builder every(Duration period, Runnable action) {
      return every(
          period,
          () -> {
            action.run();
            return period;
          });
    }

    /** See {@link Part.Every}. */
    public Builder every(Duration first, Supplier<Duration> action) {
      parts.add(new Part.Every(first, action));
      return this;
    }

    /** Slow work that is ended with the controller, in the order of the calls. */
    public Builder work(SlowWork one) {
      work.add(one);
      return this;
    }

    /** The declaration. */
    public ControllerSpec build() {
      return new ControllerSpec(name, reads, uses, parts, work);
    }
  }
}
