package dev.mooring.protection;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.CacheSnapshot;
import dev.mooring.informer.Change;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.protection.decide.FinalizerDecision;
import dev.mooring.protection.decide.FinalizerRule;
import dev.mooring.protection.decide.UnusedDecider;
import dev.mooring.protection.decide.UnusedDecision;
import dev.mooring.protection.execute.ConditionExecutor;
import dev.mooring.protection.state.LivePods;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.time.Time;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Protects claims that pods use ({@code persistentvolumeclaim-protection-controller}). Before it
 * removes a finalizer it lists the namespace's pods live: a stale cache must not cost a claim.
 */
public final class ClaimProtection extends FinalizerController<Claim> {
  public static final String NAME = "persistentvolumeclaim-protection-controller";

  private final Informer<Claim> claims;
  private final Informer<Pod> pods;
  private final LivePods live;
  private final ConditionExecutor conditions;
  private final Time time;
  private final Compat compat;
  private final boolean tellsUnused;

  @Inject
  public ClaimProtection(
      SharedInformers informers, ClusterPorts ports, Compat compat, ProtectionConfig config) {
    super(NAME, "pvcprotection", informers.of(Kind.CLAIM), ports, ObjectKey::namespace);
    this.claims = informers.of(Kind.CLAIM);
    this.pods = informers.of(Kind.POD, IndexSet.PODS_BY_CLAIM);
    this.live = new LivePods(ports.reader(), ports.time());
    this.conditions = new ConditionExecutor(ports.writer());
    this.time = ports.time();
    this.compat = compat; // in Kubernetes a finished pod still holds its claims
    this.tellsUnused = config.tellsUnused();
  }

  @Override
  ControllerSpec.Builder declare(ControllerSpec.Builder spec) {
    return spec.reads(pods, claims).on(claims, this::claimChanged).on(pods, this::podChanged);
  }

  private void claimChanged(Change<Claim> change) {
    if (change instanceof Change.Deleted<Claim>(Claim last)) {
      live.forget(last.key(), last.meta().uid());
      return;
    }
    Claim now = change.object();
    live.forgetOthers(now.key(), now.meta().uid());
    if (FinalizerDecider.isReleasable(now.meta(), FinalizerDecider.CLAIM_FINALIZER)) {
      live.noteDeleting(now.key(), now.meta().uid());
    }
    if (FinalizerDecider.concerns(now.meta(), FinalizerDecider.CLAIM_FINALIZER)
        || (tellsUnused && UnusedDecider.lacksCondition(now))) {
      look(now.key());
    }
  }

  private void podChanged(Change<Pod> change) {
    switch (change) {
      case Change.Added<Pod>(Pod now) -> {
        if (tellsUnused || freesClaims(now)) {
          requeueClaimsOf(now);
        }
      }
      case Change.Updated<Pod>(Pod before, Pod now) -> {
        boolean another = !before.meta().uid().equals(now.meta().uid());
        boolean begins = another || before.isTerminated() && !now.isTerminated();
        if (freesClaims(now) || (tellsUnused && begins)) {
          requeueClaimsOf(now);
        }
        if (another) {
          requeueClaimsOf(before);
        }
      }
      case Change.Deleted<Pod>(Pod last) -> requeueClaimsOf(last);
    }
  }

  // A running pod never frees a claim.
  private static boolean freesClaims(Pod pod) {
    return pod.isTerminated() || pod.nodeName().isEmpty();
  }

  private void requeueClaimsOf(Pod pod) {
    pod.claims().forEach(claim -> look(ObjectKey.of(pod.key().namespace(), claim)));
  }

  private void look(ObjectKey claim) {
    if (tellsUnused && claims.get(claim).isPresent()) {
      live.noteWoken(claim);
    }
    wake(claim);
  }

  @Override
  boolean needsLiveAnswer(Claim claim, Function<LiveFacts, Step<FinalizerDecision>> decider) {
    return super.needsLiveAnswer(claim, decider)
        || tellsUnused
            && decideUnused(claim, LiveFacts.NONE) instanceof Step.Ask
            && live.knownSinceWoken(claim.key()).isEmpty();
  }

  @Override
  boolean beginAsking(ObjectKey key) {
    return live.tryBegin(key.namespace(), () -> wake(key));
  }

  @Override
  void endAsking(ObjectKey key) {
    live.endListing(key.namespace());
  }

  @Override
  WriteResult<Claim> prepare(Claim claim) throws InterruptedException {
    if (!tellsUnused) {
      return new WriteResult.Written<>(claim);
    }
    LiveFacts listed = listed(claim, live.takeSinceWoken(claim.key()));
    return conditions.execute(
        claim, LiveDecisions.decide(live, listed, facts -> decideUnused(claim, facts)));
  }

  private Step<UnusedDecision> decideUnused(Claim claim, LiveFacts facts) {
    return UnusedDecider.decide(
        claim, pods.findByIndex(IndexSet.PODS_BY_CLAIM, claim.key()), facts, time.now());
  }

  @Override
  FinalizerRule<Claim> rule() {
    CacheSnapshot<Pod> now = pods.snapshot();
    return FinalizerDecider.claims(
        claim -> now.findByIndex(IndexSet.PODS_BY_CLAIM, claim), compat, 1);
  }

  @Override
  LiveReader reader() {
    return live;
  }

  @Override
  LiveFacts rememberedAnswers(Claim claim) {
    return listed(claim, live.remembered(claim.key(), claim.meta().uid()));
  }

  private static LiveFacts listed(Claim claim, Optional<List<Pod>> pods) {
    return pods.map(
            all -> LiveFacts.NONE.with(FinalizerDecider.podsOf(claim), new Fact.Present<>(all)))
        .orElse(LiveFacts.NONE);
  }
}
