package dev.mooring.csi.explain;

import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.ModifyReason;
import dev.mooring.csi.decide.ModifyRules;
import dev.mooring.csi.decide.ModifyRules.ModifyPlan;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Explains bound claims whose volume has not been changed to the requested VolumeAttributesClass.
 */
public record ModifyExplainer(ClusterView clusterView) implements Explainer {
  @Override
  public Kind<?> kind() {
    return Kind.CLAIM;
  }

  @Override
  public List<Cause> catalogue() {
    return Stream.of(ModifyReason.values()).map(ModifyExplainer::toCause).toList();
  }

  private static Cause toCause(ModifyReason reason) {
    return Cause.of(reason, reason.rank());
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) throws InterruptedException {
    Optional<Claim> boundClaim =
        clusterView
            .informer(Kind.CLAIM)
            .get(key)
            .filter(claim -> claim.phase() == ClaimPhase.BOUND);
    return boundClaim.isPresent()
            && ModifyRules.plan(boundClaim.get(), true)
                instanceof ModifyPlan.Change(String target, boolean _)
        ? List.of(explainChange(boundClaim.get(), target))
        : List.of();
  }

  private Explanation explainChange(Claim claim, String target) throws InterruptedException {
    Optional<Volume> volume =
        clusterView.informer(Kind.VOLUME).get(ObjectKey.cluster(claim.volumeName()));
    ReadResult<AttributesClass> answer =
        clusterView.reader().read(Kind.ATTRIBUTES_CLASS, ObjectKey.cluster(target));
    String driver = volume.map(ModifyExplainer::driverOf).orElse("");
    return switch (answer) {
      case ReadResult.Found<AttributesClass>(AttributesClass attributesClass)
          when volume.isPresent() ->
          buildExplanation(
              claim, target, driver, ModifyReason.of(claim, driver, attributesClass.driver()));
      case ReadResult.Absent<AttributesClass> _ when volume.isPresent() ->
          explainMissingClass(claim, target, driver);
      case ReadResult.Found<AttributesClass> _, ReadResult.Absent<AttributesClass> _ ->
          unreadableKinds(
              claim,
              target,
              clusterView.openQuestions(Map.of(Kind.VOLUME, "which driver changes the volume")));
      case ReadResult.Failed<AttributesClass>(String reason) ->
          unreadableKinds(
              claim,
              target,
              List.of(
                  new UnreadableKind(
                      Kind.ATTRIBUTES_CLASS, reason, "whether class " + target + " exists")));
    };
  }

  // 404 for an object may mean that the server does not serve the kind.
  private Explanation explainMissingClass(Claim claim, String target, String driver)
      throws InterruptedException {
    return clusterView.reader().list(Kind.ATTRIBUTES_CLASS, "")
            instanceof ReadResult.Failed<List<AttributesClass>>(String reason)
        ? unreadableKinds(
            claim,
            target,
            List.of(
                new UnreadableKind(
                    Kind.ATTRIBUTES_CLASS, reason, "whether class " + target + " exists")))
        : buildExplanation(claim, target, driver, ModifyReason.of(claim, driver, ""));
  }

  private static String driverOf(Volume volume) {
    return ModifyRules.canHaveClass(volume) ? volume.source().attribute("driver") : "";
  }

  private static Explanation unreadableKinds(
      Claim claim, String target, List<UnreadableKind> unknown) {
    return new Explanation(
        new SubjectRef(Kind.CLAIM, claim.key()),
        "Modifying",
        startTime(claim),
        toCause(ModifyReason.MODIFYING).withRank(CauseRank.UNKNOWN),
        describeClasses(claim, target),
        NextStep.person("repeat the command with the right to get and list these objects"),
        collectErrors(claim),
        unknown);
  }

  private static Explanation buildExplanation(
      Claim claim, String target, String driver, ModifyReason reason) {
    return new Explanation(
        new SubjectRef(Kind.CLAIM, claim.key()),
        "Modifying",
        startTime(claim),
        toCause(reason),
        describeClasses(claim, target),
        switch (reason) {
          case MODIFY_REFUSED, MODIFY_CLASS_MISSING, MODIFY_CLASS_OF_ANOTHER, MODIFY_UNSUPPORTED ->
              NextStep.person(reason.remedy());
          case MODIFY_FAILED, MODIFY_NOT_STARTED, MODIFYING ->
              new NextStep(
                  StepActor.DRIVER,
                  ExpectedAction.MODIFY,
                  target,
                  driver + " changes the volume to " + target + ", if its resizer runs");
        },
        collectErrors(claim),
        List.of());
  }

  private static String describeClasses(Claim claim, String target) {
    String currentClass = claim.status().attributesClass();
    return "it has "
        + (currentClass.isEmpty() ? "no class" : "class " + currentClass)
        + " and asks for "
        + target;
  }

  private static Evidence collectErrors(Claim claim) {
    return Evidence.NONE.withErrors(
        claim.status().conditions().stream()
            .filter(c -> c.type().equals(ModifyRules.ERROR) && !c.message().isEmpty())
            .map(Condition::message)
            .toList());
  }

  private static long startTime(Claim claim) {
    return claim.status().conditions().stream()
        .filter(c -> c.type().equals(ModifyRules.MODIFYING))
        .mapToLong(Condition::changed)
        .max()
        .orElse(0);
  }
}
