package dev.mooring.protection;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Change;
import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.protection.decide.FinalizerDecision;
import dev.mooring.protection.observe.LivePods;
import dev.mooring.time.Time;
import java.util.List;

/**
 * Keeps claims that pods use ({@code persistentvolumeclaim-protection-controller}). Before a claim
 * is let go the server is asked for the namespace's pods: a cache that lags behind must not cost
 * anybody a claim.
 */
public final class ClaimProtection extends Protector<Claim> {
  /** Its name in {@code --controllers}. */
  public static final String NAME = "persistentvolumeclaim-protection-controller";

  /**
   * The pods it asks.
   *
   * @param cache all pods, with the index
   * @param byClaim the index of the claims that pods name
   */
  public record Pods(Informer<Pod> cache, Index<Pod, ObjectKey> byClaim) {}

  private final Informer<Claim> claims;
  private final Pods pods;
  private final LivePods live;
  private final boolean likeKubernetes;

  /** A controller that does nothing yet. */
  public ClaimProtection(
      Informer<Claim> claims,
      Pods pods,
      ClusterWriter writer,
      LiveReader reader,
      Time time,
      boolean likeKubernetes) {
    super(NAME, "pvcprotection", Kind.CLAIM, claims, writer, time);
    this.claims = claims;
    this.pods = pods;
    this.live = new LivePods(reader, time);
    this.likeKubernetes = likeKubernetes;
  }

  @Override
  void awaitCaches() throws InterruptedException {
    pods.cache().awaitSynced();
  }

  @Override
  void listen() {
    claims.addHandler(change -> {
      if (change instanceof Change.Deleted<Claim>(Claim last)) {
        live.forget(last.key(), last.meta().uid());
        return;
      }
      Claim now = change.object();
      if (FinalizerDecider.isReleasable(now.meta(), FinalizerDecider.CLAIM_FINALIZER)) {
        live.noteDeleting(now.key(), now.meta().uid());
      }
      if (FinalizerDecider.concerns(now.meta(), FinalizerDecider.CLAIM_FINALIZER)) {
        wake(now.key());
      }
    });
    pods.cache().addHandler(this::podChanged);
  }

  private void podChanged(Change<Pod> change) {
    switch (change) {
      case Change.Added<Pod>(Pod now) -> wakeClaimsOf(now, false);
      case Change.Updated<Pod>(Pod before, Pod now) -> {
        wakeClaimsOf(now, false);
        if (!before.meta().uid().equals(now.meta().uid())) {
          wakeClaimsOf(before, true);
        }
      }
      case Change.Deleted<Pod>(Pod last) -> wakeClaimsOf(last, true);
    }
  }

  private void wakeClaimsOf(Pod pod, boolean gone) {
    if (gone || pod.isTerminated() || pod.nodeName().isEmpty()) {
      // a pod that runs cannot let go of a claim
      pod.claims().forEach(claim -> wake(ObjectKey.of(pod.key().namespace(), claim)));
    }
  }

  @Override
  FinalizerDecision decide(Claim claim) {
    return FinalizerDecider.claim(
        claim, pods.cache().snapshot().by(pods.byClaim(), claim.key()), likeKubernetes);
  }

  @Override
  FinalizerDecision confirm(Claim claim) throws InterruptedException {
    ReadResult<List<Pod>> remembered = live.remembered(claim.key(), claim.meta().uid());
    if (remembered instanceof ReadResult.Found<List<Pod>>(List<Pod> earlier)) {
      FinalizerDecision decision = FinalizerDecider.claim(claim, earlier, likeKubernetes);
      if (decision instanceof FinalizerDecision.Release) {
        return decision;
      }
    }
    return switch (live.now(claim.key().namespace())) {
      case ReadResult.Found<List<Pod>>(List<Pod> now) ->
          FinalizerDecider.claim(claim, now, likeKubernetes);
      case ReadResult.Absent<List<Pod>> _ ->
          new FinalizerDecision.Unknown("the server has no pods to list");
      case ReadResult.Failed<List<Pod>>(String message) -> new FinalizerDecision.Unknown(message);
    };
  }
}
