package dev.mooring.protection;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.cluster.RbacRules;
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
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.ClaimManifests;
import dev.mooring.storage.DeletionDelay;
import dev.mooring.time.Time;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Protects claims that pods use ({@code persistentvolumeclaim-protection-controller}). Before it
 * removes a finalizer it lists the namespace's pods live: a stale cache must not cause the loss of
 * a claim.
 */
public final class ClaimProtection extends FinalizerController<Claim> {
  public static final String NAME = "persistentvolumeclaim-protection-controller";

  private final Informer<Claim> claims;
  private final Informer<Pod> pods;
  private final LivePods livePods;
  private final ConditionExecutor conditionExecutor;
  private final ClaimManifests manifests;
  private final Time time;
  private final Compat compat;
  private final UnusedCondition unusedCondition;

  @Inject
  public ClaimProtection(
      SharedInformers informers,
      ClusterPorts ports,
      Compat compat,
      ProtectionConfig config,
      DeletionDelay delay) {
    super(NAME, "pvcprotection", informers.of(Kind.CLAIM), ports, ObjectKey::namespace);
    this.claims = informers.of(Kind.CLAIM);
    this.pods = informers.of(Kind.POD, IndexSet.PODS_BY_CLAIM);
    this.livePods = new LivePods(ports.reader(), ports.time());
    this.conditionExecutor = new ConditionExecutor(ports.writer());
    this.manifests = new ClaimManifests(delay, informers.of(Kind.VOLUME), ports);
    this.time = ports.time();
    this.compat = compat; // in Kubernetes a finished pod still protects its claims
    this.unusedCondition = config.unusedCondition();
  }

  public static RbacRules rights(UnusedCondition unusedCondition, DeletionDelay.Config delay) {
    RbacRules rights =
        RbacRules.forPurpose("removing the finalizer of claims that no pod uses")
            .mayCache(Kind.POD)
            .may(Kind.POD, Verb.LIST)
            .may(Kind.CLAIM, Verb.PATCH);
    if (unusedCondition != UnusedCondition.OFF) {
      rights =
          rights
              .andForPurpose("writing the condition Unused of claims")
              .mayStatus(Kind.CLAIM, Verb.PATCH);
    }
    return delay.delay().isZero()
        ? rights
        : rights
            .andForPurpose("saving the manifests of deleted claims for 'mooring undo'")
            .may(Kind.CLAIM, Verb.GET)
            .may(Kind.VOLUME, Verb.PATCH);
  }

  @Override
  ControllerSpec.Builder declareInputs(ControllerSpec.Builder spec) {
    return spec.reads(pods, claims)
        .addHandler(claims, this::claimChanged)
        .addHandler(pods, this::podChanged);
  }

  private void claimChanged(Change<Claim> change) {
    if (change instanceof Change.Deleted<Claim>(Claim last, _)) {
      livePods.forget(last.key(), last.meta().uid());
      return;
    }
    Claim current = change.object();
    livePods.forgetOtherUids(current.key(), current.meta().uid());
    if (FinalizerDecider.isReleasable(current.meta(), FinalizerDecider.CLAIM_FINALIZER)) {
      livePods.recordDeletion(current.key(), current.meta().uid());
    }
    if (FinalizerDecider.needsDecision(current.meta(), FinalizerDecider.CLAIM_FINALIZER)
        || unusedCondition.covers(current)
            && (UnusedDecider.lacksCondition(current) || mayMissPods(change, current))) {
      enqueueClaim(current.key());
    }
  }

  // Returns whether the last pod of the claim may have gone before this process read the pods.
  // Kubernetes does not check that.
  private boolean mayMissPods(Change<Claim> change, Claim current) {
    return change instanceof Change.Added<Claim>
        && !compat.isKubernetes()
        && UnusedDecider.isMarkedUsed(current);
  }

  private void podChanged(Change<Pod> change) {
    switch (change) {
      case Change.Added<Pod>(Pod current) -> {
        if (unusedCondition != UnusedCondition.OFF || freesClaims(current)) {
          requeueClaimsOf(current);
        }
      }
      case Change.Updated<Pod>(Pod old, Pod current) -> {
        boolean isReplaced = old.isReplacedBy(current);
        boolean startsUse = isReplaced || old.isTerminated() && !current.isTerminated();
        if (freesClaims(current) || (unusedCondition != UnusedCondition.OFF && startsUse)) {
          requeueClaimsOf(current);
        }
        if (isReplaced) {
          requeueClaimsOf(old);
        }
      }
      case Change.Deleted<Pod>(Pod last, _) -> requeueClaimsOf(last);
    }
  }

  // A running pod never frees a claim. The containers of a pod on a dead node seem to run for ever.
  private static boolean freesClaims(Pod pod) {
    return pod.isTerminated() || pod.shutDown() || pod.nodeName().isEmpty();
  }

  private void requeueClaimsOf(Pod pod) {
    pod.claims().forEach(claim -> enqueueClaim(ObjectKey.of(pod.key().namespace(), claim)));
  }

  private void enqueueClaim(ObjectKey claim) {
    if (claims.get(claim).filter(unusedCondition::covers).isPresent()) {
      livePods.recordRequeue(claim);
    }
    enqueue(claim);
  }

  @Override
  boolean needsLiveAnswer(Claim claim, Function<LiveFacts, Step<FinalizerDecision>> decider) {
    return super.needsLiveAnswer(claim, decider)
        || unusedCondition.covers(claim)
            && decideUnused(claim, LiveFacts.NONE) instanceof Step.Ask
            && livePods.listSinceRequeue(claim.key()).isEmpty();
  }

  @Override
  boolean tryBeginLiveRead(ObjectKey key) {
    return livePods.tryBeginListing(key.namespace(), () -> enqueue(key));
  }

  @Override
  void endLiveRead(ObjectKey key) {
    livePods.endListing(key.namespace());
  }

  @Override
  WriteResult<Claim> updateStatus(Claim claim) throws InterruptedException {
    if (!unusedCondition.covers(claim)) {
      return new WriteResult.Written<>(claim);
    }
    LiveFacts podFacts = createPodFacts(claim, livePods.takeListSinceRequeue(claim.key()));
    return conditionExecutor.execute(
        claim, LiveDecisions.decide(livePods, podFacts, facts -> decideUnused(claim, facts)));
  }

  private Step<UnusedDecision> decideUnused(Claim claim, LiveFacts facts) {
    return UnusedDecider.decide(
        claim, pods.findByIndex(IndexSet.PODS_BY_CLAIM, claim.key()), facts, time.now());
  }

  @Override
  FinalizerRule<Claim> createRule() {
    CacheSnapshot<Pod> cachedPods = pods.snapshot();
    return FinalizerDecider.claimRule(
        claim -> cachedPods.findByIndex(IndexSet.PODS_BY_CLAIM, claim), compat, 1);
  }

  @Override
  Outcome prepareRelease(Claim claim) throws InterruptedException {
    return manifests.save(claim);
  }

  @Override
  LiveReader reader() {
    return livePods;
  }

  @Override
  LiveFacts rememberedAnswers(Claim claim) {
    return createPodFacts(claim, livePods.listSinceDeletion(claim.key(), claim.meta().uid()));
  }

  private static LiveFacts createPodFacts(Claim claim, Optional<List<Pod>> podList) {
    return podList
        .map(listedPods ->
            LiveFacts.NONE.with(
                FinalizerDecider.podsQuestion(claim), new Fact.Present<>(listedPods)))
        .orElse(LiveFacts.NONE);
  }
}
