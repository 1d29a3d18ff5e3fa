package dev.mooring.expander.explain;

import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.expander.decide.ExpandDecider;
import dev.mooring.expander.decide.ExpandDecision;
import dev.mooring.expander.decide.ResizeReason;
import dev.mooring.expander.state.GrowerFinder;
import dev.mooring.explain.AgeFormat;
import dev.mooring.explain.Cause;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.StepTiming;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.decide.CsiSizeLimit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Explains bound claims that request more than their capacity. */
public final class ResizeExplainer implements Explainer {
  private final ClusterView clusterView;
  private final GrowerFinder growers;
  private final Compat compat;

  public ResizeExplainer(ClusterView clusterView, Compat compat) {
    this.clusterView = clusterView;
    this.compat = compat;
    this.growers = new GrowerFinder(clusterView.plugins(), true, compat);
  }

  @Override
  public Kind<?> kind() {
    return Kind.CLAIM;
  }

  @Override
  public List<Cause> catalogue() {
    return Arrays.stream(ResizeReason.values()).map(ResizeExplainer::cause).toList();
  }

  private static Cause cause(ResizeReason reason) {
    return Cause.of(reason, reason.rank());
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) throws InterruptedException {
    Optional<Claim> cachedClaim = clusterView.informer(Kind.CLAIM).get(key);
    if (cachedClaim.isEmpty()
        || cachedClaim.get().phase() != ClaimPhase.BOUND
        || !ExpandDecider.isGrowthRequested(cachedClaim.get())) {
      return List.of();
    }
    Claim claim = cachedClaim.get();
    Optional<Volume> volume =
        clusterView.informer(Kind.VOLUME).get(ObjectKey.cluster(claim.volumeName()));
    if (volume.isEmpty()) {
      return explainWithoutVolume(claim);
    }
    boolean isExpandedHere = growers.findGrower(volume.get().source()).isPresent();
    ExpandDecision decision =
        ExpandDecider.decide(
            claim,
            volume.get(),
            isExpandedHere
                ? ExpandDecider.GrowerLocation.HERE
                : ExpandDecider.GrowerLocation.ELSEWHERE,
            compat);
    if (decision instanceof ExpandDecision.NotBound) {
      return List.of(); // the binder explains this
    }
    Optional<String> refusal =
        isExpandedHere ? Optional.empty() : CsiSizeLimit.refusal(claim.request());
    if (refusal.isPresent()) {
      return List.of(explainRefusal(claim, refusal.get()));
    }
    ResizeReason reason = ResizeReason.of(claim, isExpandedHere);
    Explanation explanation =
        createExplanation(
            claim, reason, nextStep(claim, volume.get(), decision, detail), List.of());
    return List.of(
        reason == ResizeReason.RESIZE_WAITS_FOR_NODE
            ? addVolumeSize(explanation, claim, volume.get())
            : explanation);
  }

  private List<Explanation> explainWithoutVolume(Claim claim) {
    List<UnreadableKind> unreadableKinds =
        clusterView.openQuestions(
            Map.of(Kind.VOLUME, "which component expands the volume, and its progress"));
    ResizeReason reason = ResizeReason.of(claim, false);
    return unreadableKinds.isEmpty()
        ? List.of()
        : List.of(createExplanation(claim, reason, externalStep(claim, reason), unreadableKinds));
  }

  /**
   * Adds the volume's size: a claim may request more while the node has yet to complete an earlier
   * expansion.
   */
  private static Explanation addVolumeSize(Explanation explanation, Claim claim, Volume volume) {
    return volume.storage().covers(claim.request())
        ? explanation
        : new Explanation(
            explanation.subject(),
            explanation.state(),
            explanation.stateSince(),
            explanation.cause(),
            "%s; its volume has %s, and is expanded further after its file system has grown to that size"
                .formatted(explanation.message(), volume.storage()),
            explanation.nextStep(),
            explanation.evidence(),
            explanation.unreadableKinds());
  }

  private static Explanation createExplanation(
      Claim claim, ResizeReason reason, NextStep nextStep, List<UnreadableKind> unreadableKinds) {
    String message = "it has " + claim.status().storage() + " and requests " + claim.request();
    return createExplanation(claim, reason, message, nextStep, unreadableKinds);
  }

  private static Explanation explainRefusal(Claim claim, String refusal) {
    ResizeReason reason = ResizeReason.RESIZE_REFUSED;
    String message = "it has " + claim.status().storage() + "; " + refusal;
    return createExplanation(claim, reason, message, externalStep(claim, reason), List.of());
  }

  private static Explanation createExplanation(
      Claim claim,
      ResizeReason reason,
      String message,
      NextStep nextStep,
      List<UnreadableKind> unreadableKinds) {
    return new Explanation(
        new SubjectRef(Kind.CLAIM, claim.key()),
        "Resizing",
        claim.status().conditions().stream()
            .filter(c -> c.type().endsWith("Resizing") || c.type().endsWith("ResizePending"))
            .mapToLong(Condition::changed)
            .max()
            .orElse(0),
        cause(reason),
        message,
        nextStep,
        Evidence.NONE.withErrors(errors(claim)),
        unreadableKinds);
  }

  private static List<String> errors(Claim claim) {
    return claim.status().conditions().stream()
        .filter(c -> c.type().endsWith("Error") && !c.message().isEmpty())
        .map(Condition::message)
        .toList();
  }

  private NextStep nextStep(Claim claim, Volume volume, ExpandDecision decision, Detail detail)
      throws InterruptedException {
    return switch (decision) {
      case ExpandDecision.HandOver(String _, String driver)
          when !claim.meta().annotation(CsiMigration.RESIZER).equals(driver) ->
          new NextStep(
              StepActor.CONTROLLER,
              ExpectedAction.HAND_OVER,
              driver,
              "assigns the claim to the resizer of " + driver);
      case ExpandDecision.RequestNodeExpansion() -> nodeRequestStep(claim);
      case ExpandDecision.Grow(Quantity target) ->
          volume.storage().compareTo(target) < 0
              ? growthStep(claim, volume, detail)
              : stepAfterGrowth(claim, volume, detail);
      case ExpandDecision.HandOver _,
          ExpandDecision.LeaveToExternalResizer _,
          ExpandDecision.Nothing _,
          ExpandDecision.NotBound _,
          ExpandDecision.RemoveAnnotation _ ->
          externalStep(claim, ResizeReason.of(claim, false));
    };
  }

  private static String requestedSize(Claim claim) {
    return claim.request().toString();
  }

  private static NextStep externalStep(Claim claim, ResizeReason reason) {
    return switch (reason) {
      case RESIZE_REFUSED, NODE_RESIZE_REFUSED -> NextStep.person(reason.remedy());
      case RESIZE_WAITS_FOR_NODE ->
          new NextStep(
              StepActor.KUBELET,
              ExpectedAction.GROW_FILE_SYSTEM,
              requestedSize(claim),
              "expands the file system, on the node where a pod uses the claim");
      case RESIZE_BY_DRIVER, RESIZING ->
          new NextStep(
              StepActor.DRIVER,
              ExpectedAction.GROW,
              requestedSize(claim),
              "expands the volume to " + requestedSize(claim) + ", if its resizer runs");
    };
  }

  private static NextStep nodeRequestStep(Claim claim) {
    return new NextStep(
        StepActor.CONTROLLER,
        ExpectedAction.REQUEST_NODE_EXPANSION,
        requestedSize(claim),
        "asks the node again when the claim requests another size, or at its next start",
        StepTiming.LATER);
  }

  private NextStep stepAfterGrowth(Claim claim, Volume volume, Detail detail)
      throws InterruptedException {
    return switch (claim.status().resize().state()) {
      case NODE_PENDING, NODE_IN_PROGRESS ->
          externalStep(claim, ResizeReason.RESIZE_WAITS_FOR_NODE);
      case NODE_INFEASIBLE -> nodeRequestStep(claim);
      case NONE, CONTROLLER_IN_PROGRESS, CONTROLLER_INFEASIBLE -> growthStep(claim, volume, detail);
    };
  }

  private NextStep growthStep(Claim claim, Volume volume, Detail detail)
      throws InterruptedException {
    String action = "has a plugin expand it to " + requestedSize(claim);
    boolean hasFailed =
        !errors(claim).isEmpty()
            || claim.status().resize().state() == ResizeState.CONTROLLER_INFEASIBLE;
    if (!hasFailed && volume.storage().compareTo(claim.request()) >= 0) {
      return growthStep(
          claim,
          action
              + ", the size of the volume, when the claim requests more or at the controller's next start",
          StepTiming.LATER);
    }
    LastAttempt lastAttempt =
        hasFailed
            ? LastAttempt.FAILED
            : detail == Detail.EVIDENCE ? readLastAttempt(claim) : LastAttempt.OPEN;
    return switch (lastAttempt) {
      case FAILED ->
          growthStep(
              claim,
              "%s, again after a pause that doubles up to %s"
                  .formatted(action, AgeFormat.format(KeyedOperations.LONGEST_BACKOFF.toSeconds())),
              StepTiming.AGAIN);
      case NONE -> growthStep(claim, action, StepTiming.AT_ONCE);
      case OPEN -> growthStep(claim, action + ", if possible", StepTiming.OPEN);
    };
  }

  private static NextStep growthStep(Claim claim, String text, StepTiming timing) {
    return new NextStep(
        StepActor.CONTROLLER, ExpectedAction.GROW, requestedSize(claim), text, timing);
  }

  private enum LastAttempt {
    NONE,
    FAILED,
    OPEN
  }

  // Reads the last event: an expansion in the controller's process leaves no condition.
  private LastAttempt readLastAttempt(Claim claim) throws InterruptedException {
    return switch (clusterView.events().readEvents(claim)) {
      case ReadResult.Found<List<PastEvent>>(List<PastEvent> events) ->
          events.stream()
              .filter(event ->
                  Set.of(ResizeReason.FAILED_EVENT, ResizeReason.DONE_EVENT)
                      .contains(event.reason()))
              .max(Comparator.comparingLong(PastEvent::lastSeen))
              .filter(event -> event.reason().equals(ResizeReason.FAILED_EVENT))
              .map(event -> LastAttempt.FAILED)
              .orElse(LastAttempt.NONE);
      case ReadResult.Absent<List<PastEvent>> _ -> LastAttempt.NONE;
      case ReadResult.Failed<List<PastEvent>> _ -> LastAttempt.OPEN;
    };
  }
}
