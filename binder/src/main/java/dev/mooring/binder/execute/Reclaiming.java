package dev.mooring.binder.execute;

import dev.mooring.binder.decide.DeleterVerdict;
import dev.mooring.binder.decide.Marks;
import dev.mooring.binder.decide.Policy;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.ReclaimDecider;
import dev.mooring.binder.decide.ReclaimDecision;
import dev.mooring.binder.decide.ReclaimVerdict;
import dev.mooring.binder.execute.BinderStats.Whole;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Kind;
import dev.mooring.model.Migration;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.operation.Completion;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.Plugins;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of released volumes. Deleting is one slow job per volume, and begins with live reads
 * of everything that it rests on.
 */
public final class Reclaiming {
  /** What a plugin that refuses to delete a volume has refused. */
  private record Basis(Deleter.Request request, @Nullable Long generation) {}

  private static final Duration SOON = Duration.ofSeconds(1);

  private final Recycling recycling;
  private final Map<ObjectKey, Uid> destroyed = new ConcurrentHashMap<>();

  /**
   * What it acts with.
   *
   * @param writer writes
   * @param reader live reads
   * @param plugins plugins that delete
   * @param reporter tells
   * @param stats counts
   * @param provisioners the provisioner of the class of that name, "" if there is no such class
   */
  public record Tools(
      ClusterWriter writer,
      LiveReader reader,
      Plugins plugins,
      BinderReporter reporter,
      BinderStats stats,
      UnaryOperator<String> provisioners) {}

  private final Tools tools;
  private final DeletionBreaker breaker;
  private final Deleters deleters;
  private final BinderReporter reporter;
  private final Binding binding;
  private final KeyedOperations<ObjectKey> operations;

  /** Runs its jobs in these operations. */
  public Reclaiming(
      Tools tools,
      Recycling recycling,
      KeyedOperations<ObjectKey> operations,
      Policy policy,
      DeletionBreaker breaker) {
    this.tools = tools;
    this.breaker = breaker;
    this.recycling = recycling;
    this.deleters = new Deleters(tools.plugins(), policy);
    this.reporter = tools.reporter();
    this.binding = new Binding(tools.writer(), tools.reporter());
    this.operations = operations;
  }

  Outcome reclaim(Volume volume) throws InterruptedException {
    ReclaimDecision decision = ReclaimDecider.next(volume, isDestroyed(volume));
    if (!(decision instanceof ReclaimDecision.Recycle)) {
      Optional<Outcome> stopped = recycling.stop(volume);
      if (stopped.isPresent()) {
        return stopped.get();
      }
    }
    return switch (decision) {
      case ReclaimDecision.Others _, ReclaimDecision.Retain _, ReclaimDecision.Destroyed _ ->
          Outcome.SETTLED;
      case ReclaimDecision.Delete() -> delete(volume);
      case ReclaimDecision.Recycle() -> recycling.step(volume);
      case ReclaimDecision.UnknownPolicy() -> {
        reporter.unknownPolicy(volume);
        yield failed(volume, "Volume has unrecognized PersistentVolumeReclaimPolicy");
      }
    };
  }

  private boolean isDestroyed(Volume volume) {
    return volume.meta().uid().equals(destroyed.get(volume.key()));
  }

  /**
   * The volume is not released, or not there: nothing may destroy what is in it. What is at it
   * already is stopped, or waited for.
   *
   * @return what that came to; empty if nothing is
   */
  public Optional<Outcome> spare(ObjectKey volume) throws InterruptedException {
    return operations.isRunning(volume)
        ? Optional.of(new Outcome.CheckAgain(SOON))
        : recycling.stop(volume);
  }

  /** The same for a volume that is there: whoever has it next must not lose data. */
  Optional<Outcome> spare(Volume volume) throws InterruptedException {
    if (operations.isRunning(volume.key())) {
      return Optional.of(new Outcome.CheckAgain(SOON));
    }
    return Marks.isReclaimed(volume.phase())
        ? recycling.stopForCertain(volume)
        : recycling.stop(volume);
  }

  /** The volume is gone: its back-off too. Whether it has to be looked at nevertheless. */
  public boolean forget(ObjectKey volume) {
    reporter.volumeIsGone(volume);
    operations.forget(volume);
    destroyed.remove(volume);
    tools.stats().ends(Whole.DELETE, volume);
    return recycling.forget(volume);
  }

  private Outcome failed(Volume volume, String message) throws InterruptedException {
    return Results.outcome(
        "setting volume " + volume.meta().name() + " Failed",
        binding.phase(volume, VolumePhase.FAILED, message));
  }

  private Outcome delete(Volume volume) throws InterruptedException {
    Deleters.Found found = deleters.of(volume);
    return switch (found.verdict()) {
      case DeleterVerdict.Others() -> {
        tools.stats().begins(Whole.DELETE, volume.key(), labelOfOthers(volume));
        yield Outcome.SETTLED;
      }
      case DeleterVerdict.Nobody(String note) -> {
        Outcome written = failed(volume, note);
        if (written instanceof Outcome.Settled) {
          reporter.deleteFailed(volume, Reason.NO_DELETER, note);
        }
        yield written;
      }
      case DeleterVerdict.Plugin _ when breaker.isHolding() -> {
        reporter.held(volume, breaker.told());
        yield Outcome.SETTLED; // resuming brings it back
      }
      case DeleterVerdict.Plugin(String plugin) -> {
        Deleter deleter = found.deleter().orElseThrow();
        tools.stats().begins(Whole.DELETE, volume.key(), plugin);
        operations.start(
            volume.key(),
            new Basis(Deleter.Request.of(volume), tools.plugins().generations().get(plugin)),
            () -> run(volume, plugin, deleter));
        yield Outcome.SETTLED;
      }
    };
  }

  /** As Kubernetes labels it: by the class, because a volume may say anything of its origin. */
  private String labelOfOthers(Volume volume) {
    String provisioner = tools.provisioners().apply(volume.storageClass());
    String driver = Migration.driverOf(provisioner);
    return provisioner.isEmpty() ? "N/A" : driver.isEmpty() ? provisioner : driver;
  }

  /**
   * The server is asked last of all: nothing but the circuit breaker stands between it and the
   * deleter.
   */
  private Completion run(Volume judged, String plugin, Deleter deleter)
      throws InterruptedException {
    ReclaimVerdict verdict =
        LiveDecisions.decide(
            tools.reader(), LiveFacts.NONE, facts -> ReclaimDecider.decide(judged, facts));
    return switch (verdict) {
      case ReclaimVerdict.Gone() -> {
        destroyed.remove(judged.key(), judged.meta().uid());
        yield Completion.DONE;
      }
      case ReclaimVerdict.Confirmed(Volume now) -> destroy(now, plugin, deleter);
      case ReclaimVerdict.Spare(String why) -> {
        reporter.spared(judged, why);
        yield Completion.unreachable(why); // the cache shows sooner or later what the server says
      }
      case ReclaimVerdict.CannotTell(String why) -> {
        reporter.spared(judged, why);
        yield new Completion.Unanswered(why);
      }
      case ReclaimVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  private Completion destroy(Volume volume, String plugin, Deleter deleter)
      throws InterruptedException {
    return switch (breaker.admit(volume.meta().uid())) {
      case HELD -> {
        reporter.held(volume, breaker.told());
        yield Completion.DONE; // resuming brings it back
      }
      case FULL -> Completion.unreachable("as many volumes as may be are being destroyed");
      case GRANTED -> admitted(volume, plugin, deleter);
    };
  }

  private Completion admitted(Volume volume, String plugin, Deleter deleter)
      throws InterruptedException {
    boolean gone = false;
    try {
      long since = tools.stats().clock();
      Attempt<Deleter.Gone> attempt = deleter.delete(Deleter.Request.of(volume));
      gone = attempt instanceof Attempt.Done<Deleter.Gone>;
      tools.stats().called(plugin, Whole.DELETE, gone, since);
      if (attempt instanceof Attempt.Failed<Deleter.Gone>(Failure why)) {
        tools.stats().failed(plugin, Whole.DELETE);
        return notDeleted(volume, why);
      }
    } finally {
      if (gone) {
        breaker.destroyed(volume.meta().uid());
      } else {
        breaker.spared(volume.meta().uid());
      }
    }
    destroyed.put(volume.key(), volume.meta().uid());
    return remove(volume);
  }

  private Completion notDeleted(Volume volume, Failure why) throws InterruptedException {
    if (why instanceof Failure.InUse) {
      reporter.deleteDelayed(volume, why.message());
    } else {
      binding.phase(volume, VolumePhase.FAILED, why.message());
      reporter.deleteFailed(volume, Reason.DELETE_FAILED, why.message());
    }
    return new Completion.Failed(why);
  }

  /**
   * Removes the object: marked as deleted first, then our finalizer. The other way round somebody
   * who has yet to see the first write could put the finalizer back between the two.
   */
  private Completion remove(Volume volume) throws InterruptedException {
    WriteResult<Volume> marked =
        tools.writer().delete(Kind.VOLUME, volume.key(), volume.meta().uid());
    WriteResult<Volume> result =
        marked instanceof WriteResult.Written<Volume>(Volume now)
                && now.finalizers().contains(Marks.IN_TREE_FINALIZER)
            ? withoutFinalizer(now)
            : marked;
    if (!(result instanceof WriteResult.Gone<Volume>)
        && !(result instanceof WriteResult.Written<Volume>)) {
      return Completion.unwritten("removing volume " + volume.key().name(), result);
    }
    if (marked instanceof WriteResult.Gone<Volume>) {
      destroyed.remove(volume.key(), volume.meta().uid()); // nobody will come to forget it
    }
    reporter.deleted(volume);
    return Completion.DONE;
  }

  private WriteResult<Volume> withoutFinalizer(Volume volume) throws InterruptedException {
    List<String> left =
        volume.finalizers().stream().filter(f -> !f.equals(Marks.IN_TREE_FINALIZER)).toList();
    return tools
        .writer()
        .patch(
            Kind.VOLUME,
            volume.key(),
            Document.patchOf(volume.meta())
                .set(left.isEmpty() ? null : left, "metadata", "finalizers"));
  }
}
