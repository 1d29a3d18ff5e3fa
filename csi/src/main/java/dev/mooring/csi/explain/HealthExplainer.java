package dev.mooring.csi.explain;

import dev.mooring.csi.decide.HealthReason;
import dev.mooring.csi.decide.VolumeHealth;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.HealthCondition;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.stream.Stream;

/** Explains claims with problems in {@code status.healthStatus} (KEP-1432). */
public record HealthExplainer(ClusterView clusterView) implements Explainer {
  @Override
  public Kind<?> kind() {
    return Kind.CLAIM;
  }

  @Override
  public List<Cause> catalogue() {
    return Stream.of(HealthReason.values()).map(HealthExplainer::toCause).toList();
  }

  private static Cause toCause(HealthReason reason) {
    return Cause.of(reason, CauseRank.FAILING);
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) {
    return clusterView
        .informer(Kind.CLAIM)
        .get(key)
        .filter(claim -> !claim.status().healthConditions().isEmpty())
        .map(HealthExplainer::explain)
        .stream()
        .toList();
  }

  private static Explanation explain(Claim claim) {
    List<HealthCondition> conditions = claim.status().healthConditions();
    HealthReason reason = HealthReason.ofWorst(conditions);
    return new Explanation(
        new SubjectRef(Kind.CLAIM, claim.key()),
        claim.phase().toString(),
        0,
        toCause(reason),
        "",
        NextStep.person(reason.remedy()),
        Evidence.NONE.withErrors(conditions.stream().map(VolumeHealth::describe).toList()),
        List.of());
  }
}
