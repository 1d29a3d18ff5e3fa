package dev.mooring.populator.explain;

import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePopulator;
import dev.mooring.populator.decide.PopulationDecider;
import dev.mooring.populator.decide.PopulationDecision;
import dev.mooring.populator.decide.PopulationReason;
import dev.mooring.populator.decide.PopulationView;
import dev.mooring.populator.decide.PopulatorMarks;
import dev.mooring.populator.decide.SourceCheck;
import dev.mooring.populator.state.LoadedPopulators;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Explains unbound claims whose data source needs a populator: of a plugin, or of another program
 * that follows the conventions of Kubernetes' populator library.
 */
public final class PopulationExplainer implements Explainer {
  private static final Set<String> CODES =
      Stream.of(PopulationReason.values())
          .map(PopulationReason::code)
          .collect(Collectors.toUnmodifiableSet());

  private static final String ANY_NAMESPACE = "populators"; // explain does not know the flag

  private final ClusterView clusterView;
  private final LoadedPopulators populators;
  private @Nullable Map<String, Claim> primes;

  public PopulationExplainer(ClusterView clusterView) {
    this.clusterView = clusterView;
    this.populators = new LoadedPopulators(clusterView.plugins());
  }

  @Override
  public Kind<?> kind() {
    return Kind.CLAIM;
  }

  @Override
  public List<Cause> catalogue() {
    return Stream.of(PopulationReason.values()).map(PopulationExplainer::toCause).toList();
  }

  private static Cause toCause(PopulationReason reason) {
    return Cause.of(reason, reason.rank());
  }

  public static boolean isConclusive(Explanation explanation) {
    return explanation.cause().rank() != CauseRank.UNKNOWN
        && CODES.contains(explanation.cause().code());
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) throws InterruptedException {
    Optional<Claim> cachedClaim = clusterView.informer(Kind.CLAIM).get(key);
    DataSourceRef source = cachedClaim.map(Claim::dataSourceRef).orElse(null);
    if (cachedClaim.isEmpty() || source == null || !source.needsPopulator()) {
      return List.of();
    }
    Claim claim = cachedClaim.get();
    if (!claim.volumeName().isEmpty() || claim.meta().isBeingDeleted()) {
      return List.of();
    }
    Claim prime = primes().get(PopulatorMarks.primeName(claim.meta().uid()));
    return prime != null
        ? List.of(explainStarted(claim, prime))
        : explainUnstarted(claim, source).stream().toList();
  }

  private Map<String, Claim> primes() {
    Map<String, Claim> cached = primes;
    if (cached == null) {
      cached = new HashMap<>();
      for (Claim claim : clusterView.informer(Kind.CLAIM).snapshot().objects()) {
        if (claim.meta().name().startsWith(PopulatorMarks.PRIME_PREFIX)) {
          cached.put(claim.meta().name(), claim);
        }
      }
      primes = cached;
    }
    return cached;
  }

  private Explanation explainStarted(Claim claim, Claim prime) {
    Optional<Volume> volume =
        clusterView.informer(Kind.VOLUME).get(ObjectKey.cluster(prime.volumeName()));
    ClaimRef ref = volume.map(Volume::claimRef).orElse(null);
    if (ref != null && ref.uid().equals(claim.meta().uid())) {
      return createExplanation(
          claim,
          PopulationReason.POPULATED_VOLUME_UNBOUND,
          "volume " + prime.volumeName(),
          new NextStep(
              StepActor.CONTROLLER,
              ExpectedAction.BIND,
              prime.volumeName(),
              "binds it to volume " + prime.volumeName()));
    }
    if (prime.phase() != ClaimPhase.BOUND) {
      return createExplanation(
          claim,
          PopulationReason.PRIME_CLAIM_UNBOUND,
          "prime claim %s is %s".formatted(prime.key(), prime.phase()),
          NextStep.person(
              "see why the prime claim waits: mooring explain pvc/%s -n %s"
                  .formatted(prime.meta().name(), prime.key().namespace())));
    }
    ObjectKey podKey =
        ObjectKey.of(prime.key().namespace(), PopulatorMarks.podName(claim.meta().uid()));
    Optional<Pod> pod = clusterView.informer(Kind.POD).get(podKey);
    return createExplanation(
        claim,
        PopulationReason.POPULATING,
        pod.map(p -> "pod %s is %s".formatted(podKey, p.phase()))
            .orElse("volume " + prime.volumeName()),
        new NextStep(
            StepActor.PROVISIONER,
            ExpectedAction.PROVISION,
            prime.volumeName(),
            "of the data source fills volume " + prime.volumeName()));
  }

  private Optional<Explanation> explainUnstarted(Claim claim, DataSourceRef source)
      throws InterruptedException {
    if (populators.find(source).isEmpty()) {
      return explainOtherProgram(claim, source);
    }
    PopulationDecision decision = decide(claim);
    return switch (decision) {
      case PopulationDecision.Wait(PopulationReason reason, String message) ->
          Optional.of(createExplanation(claim, reason, message, NextStep.person(reason.remedy())));
      case PopulationDecision.Leave() ->
          Optional.empty(); // the binder's explanation names the cause
      default -> Optional.of(explainPending(claim, source));
    };
  }

  private Optional<Explanation> explainOtherProgram(Claim claim, DataSourceRef source)
      throws InterruptedException {
    PopulationReason unknown = PopulationReason.UNRECOGNIZED_DATA_SOURCE_KIND;
    return switch (clusterView.reader().list(VolumePopulator.KIND, "")) {
      case ReadResult.Found<List<VolumePopulator>>(List<VolumePopulator> registered) ->
          SourceCheck.of(source, registered, false) == SourceCheck.INVALID
              ? Optional.of(
                  createExplanation(
                      claim,
                      unknown,
                      "kind " + source.kindName(),
                      NextStep.person(unknown.remedy())))
              : decide(claim) instanceof PopulationDecision.Leave
                  ? Optional.empty()
                  : Optional.of(explainPending(claim, source));
      case ReadResult.Absent<List<VolumePopulator>> _ -> Optional.empty(); // a list is never absent
      case ReadResult.Failed<List<VolumePopulator>>(String message) ->
          Optional.of(
              new Explanation(
                  new SubjectRef(Kind.CLAIM, claim.key()),
                  claim.phase().toString(),
                  claim.meta().created(),
                  toCause(unknown).withRank(CauseRank.UNKNOWN),
                  "kind " + source.kindName(),
                  NextStep.person("check that the populator of this kind is installed"),
                  Evidence.NONE,
                  List.of(
                      new UnreadableKind(
                          VolumePopulator.KIND,
                          message,
                          "whether a populator serves " + source.kindName()))));
    };
  }

  private PopulationDecision decide(Claim claim) throws InterruptedException {
    PopulationView view =
        new PopulationView(
            claim.key(),
            claim.meta().uid(),
            Optional.of(claim),
            Optional.empty(),
            Optional.empty(),
            clusterView.informer(Kind.STORAGE_CLASS).get(ObjectKey.cluster(claim.className())),
            new Fact.NotAsked<>(),
            false,
            Duration.ZERO,
            Instant.EPOCH,
            new PopulationView.Settings(ANY_NAMESPACE, true, true));
    return LiveDecisions.decide(
        clusterView.reader(), LiveFacts.NONE, live -> PopulationDecider.decide(view, live));
  }

  private static Explanation explainPending(Claim claim, DataSourceRef source) {
    return createExplanation(
        claim,
        PopulationReason.POPULATOR_NOT_SEEN,
        "data source %s %s".formatted(source.kindName(), source.key(claim.key().namespace())),
        NextStep.person(PopulationReason.POPULATOR_NOT_SEEN.remedy()));
  }

  private static Explanation createExplanation(
      Claim claim, PopulationReason reason, String message, NextStep nextStep) {
    return new Explanation(
        new SubjectRef(Kind.CLAIM, claim.key()),
        claim.phase().toString(),
        claim.meta().created(),
        toCause(reason),
        message,
        nextStep,
        Evidence.NONE,
        List.of());
  }
}
