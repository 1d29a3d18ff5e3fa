package dev.mooring.protection;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Decided;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.protection.decide.FinalizerDecision;
import dev.mooring.protection.execute.FinalizerExecutor;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.workqueue.WorkQueue;
import java.util.Optional;

/**
 * What the protections of claims, volumes and classes have in common: one queue, one finalizer, one
 * pass.
 *
 * @param <T> what is protected
 */
abstract class Protector<T extends Resource> {
  private static final int WORKERS = 8;

  private final String name;
  private final Kind<T> kind;
  private final Informer<T> informer;
  private final FinalizerExecutor executor;
  private final WorkQueue<ObjectKey> queue;

  Protector(String name, String queue, Informer<T> informer, ClusterPorts ports) {
    this.name = name;
    this.kind = informer.kind();
    this.informer = informer;
    this.executor = new FinalizerExecutor(ports.writer());
    this.queue = new WorkQueue<>(queue, ports.time());
  }

  /** What it is made of, to be run once. */
  public final ControllerSpec spec() {
    return declare(ControllerSpec.named(name)).loop(queue, this::sync, WORKERS).build();
  }

  /** Adds the caches that the decision rests on, and the handlers that {@link #wake} keys. */
  abstract ControllerSpec.Builder declare(ControllerSpec.Builder spec);

  /**
   * What has to be written before the finalizer is looked at: nothing, unless there is more to look
   * after.
   *
   * @return the object as it is then
   */
  WriteResult<T> prepare(T object) throws InterruptedException {
    return new WriteResult.Written<>(object);
  }

  /** What becomes of the object's finalizer, as far as the caches know. */
  abstract FinalizerDecision decide(T object);

  /** Asked before a finalizer goes: decides again from what the server says now. */
  abstract FinalizerDecision confirm(T object) throws InterruptedException;

  final void wake(ObjectKey key) {
    queue.add(key);
  }

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<T> known = informer.get(key);
    if (known.isEmpty()) {
      return Outcome.SETTLED;
    }
    WriteResult<T> prepared = prepare(known.get());
    if (!(prepared instanceof WriteResult.Written<T>(T object))) {
      return Outcome.after("writing the status of " + kind + " " + key, prepared);
    }
    FinalizerDecision decision = decide(object);
    return executor.execute(
        kind,
        object,
        Decided.by(decision instanceof FinalizerDecision.Release ? confirm(object) : decision));
  }
}
