package dev.mooring.protection;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.DecisionLog;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Step;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.protection.decide.FinalizerDecision;
import dev.mooring.protection.decide.FinalizerRule;
import dev.mooring.protection.execute.FinalizerExecutor;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

abstract class FinalizerController<T extends Resource> {
  private static final int WORKERS = 8;
  private static final Duration UNCACHED_USE_PERIOD = Duration.ofSeconds(15);

  private final String name;
  private final Kind<T> kind;
  private final Informer<T> informer;
  private final LiveReader reader;
  private final FinalizerExecutor executor;
  private final WorkQueue<ObjectKey> queue;

  FinalizerController(
      String name,
      String queue,
      Informer<T> informer,
      ClusterPorts ports,
      Function<ObjectKey, Object> namespaceOf) {
    this.name = name;
    this.kind = informer.kind();
    this.informer = informer;
    this.reader = ports.reader();
    this.executor = new FinalizerExecutor(ports.writer());
    this.queue = WorkQueue.fair(queue, ports.time(), namespaceOf);
  }

  public final ControllerSpec spec() {
    return declareInputs(ControllerSpec.builder(name)).loop(queue, this::sync, WORKERS).build();
  }

  abstract ControllerSpec.Builder declareInputs(ControllerSpec.Builder spec);

  /**
   * Writes the object's status before the decision about its finalizer. By default writes nothing.
   *
   * @return the object after the write
   */
  WriteResult<T> updateStatus(T object) throws InterruptedException {
    return new WriteResult.Written<>(object);
  }

  abstract FinalizerRule<T> createRule();

  /**
   * Completes the work that must precede the removal of the finalizer. Does nothing by default.
   *
   * @return SETTLED if the finalizer may be removed
   */
  Outcome prepareRelease(T object) throws InterruptedException {
    return Outcome.SETTLED;
  }

  LiveReader reader() {
    return reader;
  }

  /**
   * Returns earlier live answers that still hold for the object. They may prove that the object is
   * unused; all other questions are asked again.
   */
  LiveFacts rememberedAnswers(T object) {
    return LiveFacts.NONE;
  }

  final void enqueue(ObjectKey key) {
    queue.add(key);
  }

  boolean needsLiveAnswer(T object, Function<LiveFacts, Step<FinalizerDecision>> decider) {
    return decider.apply(rememberedAnswers(object)) instanceof Step.Ask;
  }

  /** Returns whether other work will decide about the finalizer, and requeues the object if not. */
  boolean isHandedOver(T object) {
    return false;
  }

  boolean tryBeginLiveRead(ObjectKey key) {
    return true;
  }

  void endLiveRead(ObjectKey key) {}

  private Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<T> cachedObject = informer.get(key);
    if (cachedObject.isEmpty()) {
      return Outcome.SETTLED;
    }
    T object = cachedObject.get();
    if (isHandedOver(object)) {
      return Outcome.DEFERRED;
    }
    Function<LiveFacts, Step<FinalizerDecision>> decider = createRule().prepare(object);
    if (!needsLiveAnswer(object, decider)) {
      return sync(object, decider);
    }
    if (!tryBeginLiveRead(key)) {
      return Outcome.DEFERRED;
    }
    try {
      return sync(object, decider);
    } finally {
      endLiveRead(key);
    }
  }

  private Outcome sync(T cachedObject, Function<LiveFacts, Step<FinalizerDecision>> decider)
      throws InterruptedException {
    WriteResult<T> statusResult = updateStatus(cachedObject);
    if (!(statusResult instanceof WriteResult.Written<T>(T object))) {
      return Outcome.ofWrite(
          "writing the status of " + kind + " " + cachedObject.key(), statusResult);
    }
    Function<LiveFacts, Step<FinalizerDecision>> currentDecider =
        object.equals(cachedObject) ? decider : createRule().prepare(object);
    FinalizerDecision decision = decide(object, currentDecider);
    if (decision instanceof FinalizerDecision.Hold
        && currentDecider.apply(LiveFacts.NONE) instanceof Step.Ask) {
      // the cache lacks the user, so no watch event may show its end
      return new Outcome.CheckAgain(UNCACHED_USE_PERIOD);
    }
    Outcome preparation =
        decision instanceof FinalizerDecision.Release ? prepareRelease(object) : Outcome.SETTLED;
    return preparation.equals(Outcome.SETTLED)
        ? executor.execute(kind, object, decision)
        : preparation;
  }

  private FinalizerDecision decide(T object, Function<LiveFacts, Step<FinalizerDecision>> decider)
      throws InterruptedException {
    return decider.apply(rememberedAnswers(object))
            instanceof Step.Decided<FinalizerDecision>(FinalizerDecision.Release released)
        ? DecisionLog.recordDecision(released)
        : LiveDecisions.decide(reader(), LiveFacts.NONE, decider);
  }
}
