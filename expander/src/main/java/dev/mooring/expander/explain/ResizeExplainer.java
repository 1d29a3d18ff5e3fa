package dev.mooring.expander.explain;

import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.expander.decide.ExpandDecider;
import dev.mooring.expander.decide.ExpandDecision;
import dev.mooring.expander.decide.ResizeReason;
import dev.mooring.expander.state.GrowerFinder;
import dev.mooring.explain.AgeFormat;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
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

  private static Cause cause(ResizeReason why) {
    CauseRank rank =
        switch (why) {
          case RESIZE_REFUSED, NODE_RESIZE_REFUSED -> CauseRank.MISCONFIGURED;
          case RESIZE_WAITS_FOR_NODE, RESIZE_BY_DRIVER -> CauseRank.WAITING;
          case RESIZING -> CauseRank.WORKING;
        };
    return Cause.of(why, rank);
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) throws InterruptedException {
    Optional<Claim> found = clusterView.informer(Kind.CLAIM).get(key);
    if (found.isEmpty()
        || found.get().phase() != ClaimPhase.BOUND
        || !ExpandDecider.asksForMore(found.get())) {
      return List.of();
    }
    Claim claim = found.get();
    Optional<Volume> volume =
        clusterView.informer(Kind.VOLUME).get(ObjectKey.cluster(claim.volumeName()));
    if (volume.isEmpty()) {
      return withoutVolume(claim);
    }
    boolean here = growers.of(volume.get().source()).isPresent();
    ExpandDecision decision =
        ExpandDecider.decide(
            claim,
            volume.get(),
            here ? ExpandDecider.GrowerLocation.HERE : ExpandDecider.GrowerLocation.ELSEWHERE,
            compat);
    if (decision instanceof ExpandDecision.NotBound) {
      return List.of(); // the binder explains this
    }
    Optional<String> tooLarge = here ? Optional.empty() : CsiSizeLimit.refusal(claim.request());
    if (tooLarge.isPresent()) {
      return List.of(refused(claim, tooLarge.get()));
    }
    ResizeReason why = ResizeReason.of(claim, here);
    Explanation explained =
        explained(claim, why, next(claim, volume.get(), decision, detail), List.of());
    return List.of(
        why == ResizeReason.RESIZE_WAITS_FOR_NODE
            ? withVolume(explained, claim, volume.get())
            : explained);
  }

  private List<Explanation> withoutVolume(Claim claim) {
    List<UnreadableKind> open =
        clusterView.leftOpen(
            Map.of(Kind.VOLUME, "which component expands the volume, and its progress"));
    ResizeReason why = ResizeReason.of(claim, false);
    return open.isEmpty() ? List.of() : List.of(explained(claim, why, byOthers(claim, why), open));
  }

  /**
   * Adds the volume's size: a claim may request more while the node has yet to complete an earlier
   * expansion.
   */
  private static Explanation withVolume(Explanation e, Claim claim, Volume volume) {
    return volume.storage().covers(claim.request())
        ? e
        : new Explanation(
            e.subject(),
            e.state(),
            e.since(),
            e.cause(),
            "%s; its volume has %s, and is expanded further after its file system has grown to that size"
                .formatted(e.note(), volume.storage()),
            e.next(),
            e.evidence(),
            e.unseen());
  }

  private static Explanation explained(
      Claim claim, ResizeReason why, NextStep next, List<UnreadableKind> open) {
    String note = "it has " + claim.status().storage() + " and requests " + claim.request();
    return explained(claim, why, note, next, open);
  }

  private static Explanation refused(Claim claim, String refusal) {
    ResizeReason why = ResizeReason.RESIZE_REFUSED;
    String note = "it has " + claim.status().storage() + "; " + refusal;
    return explained(claim, why, note, byOthers(claim, why), List.of());
  }

  private static Explanation explained(
      Claim claim, ResizeReason why, String note, NextStep next, List<UnreadableKind> open) {
    return new Explanation(
        new SubjectRef(Kind.CLAIM, claim.key()),
        "Resizing",
        claim.status().conditions().stream()
            .filter(c -> c.type().endsWith("Resizing") || c.type().endsWith("ResizePending"))
            .mapToLong(Condition::changed)
            .max()
            .orElse(0),
        cause(why),
        note,
        next,
        Evidence.NONE.withErrors(errors(claim)),
        open);
  }

  private static List<String> errors(Claim claim) {
    return claim.status().conditions().stream()
        .filter(c -> c.type().endsWith("Error") && !c.message().isEmpty())
        .map(Condition::message)
        .toList();
  }

  private NextStep next(Claim claim, Volume volume, ExpandDecision decision, Detail detail)
      throws InterruptedException {
    return switch (decision) {
      case ExpandDecision.HandOver(String _, String driver)
          when !claim.meta().annotation(CsiMigration.RESIZER).equals(driver) ->
          new NextStep(
              StepActor.CONTROLLER,
              ExpectedAction.HAND_OVER,
              driver,
              "hands the claim to the resizer of " + driver);
      case ExpandDecision.AskNode() -> askingNode(claim);
      case ExpandDecision.Grow(Quantity target) ->
          volume.storage().compareTo(target) < 0
              ? growing(claim, volume, detail)
              : grown(claim, volume, detail);
      case ExpandDecision.HandOver _,
          ExpandDecision.LeaveToOthers _,
          ExpandDecision.Nothing _,
          ExpandDecision.NotBound _,
          ExpandDecision.Unmark _ ->
          byOthers(claim, ResizeReason.of(claim, false));
    };
  }

  private static String size(Claim claim) {
    return claim.request().toString();
  }

  private static NextStep byOthers(Claim claim, ResizeReason why) {
    return switch (why) {
      case RESIZE_REFUSED, NODE_RESIZE_REFUSED -> NextStep.person(why.remedy());
      case RESIZE_WAITS_FOR_NODE ->
          new NextStep(
              StepActor.KUBELET,
              ExpectedAction.GROW_FILE_SYSTEM,
              size(claim),
              "expands the file system, on the node where a pod uses the claim");
      case RESIZE_BY_DRIVER, RESIZING ->
          new NextStep(
              StepActor.DRIVER,
              ExpectedAction.GROW,
              size(claim),
              "expands the volume to " + size(claim) + ", if its resizer runs");
    };
  }

  private static NextStep askingNode(Claim claim) {
    return new NextStep(
        StepActor.CONTROLLER,
        ExpectedAction.REQUEST_NODE_EXPANSION,
        size(claim),
        "asks the node again when the claim requests another size, or at its next start",
        StepTiming.LATER);
  }

  private NextStep grown(Claim claim, Volume volume, Detail detail) throws InterruptedException {
    return switch (claim.status().resize().state()) {
      case NODE_PENDING, NODE_IN_PROGRESS -> byOthers(claim, ResizeReason.RESIZE_WAITS_FOR_NODE);
      case NODE_INFEASIBLE -> askingNode(claim);
      case NONE, CONTROLLER_IN_PROGRESS, CONTROLLER_INFEASIBLE -> growing(claim, volume, detail);
    };
  }

  private NextStep growing(Claim claim, Volume volume, Detail detail) throws InterruptedException {
    String make = "has a plugin expand it to " + size(claim);
    boolean failed =
        !errors(claim).isEmpty()
            || claim.status().resize().state() == ResizeState.CONTROLLER_INFEASIBLE;
    if (!failed && volume.storage().compareTo(claim.request()) >= 0) {
      return growing(
          claim,
          make
              + ", the size of the volume, when the claim requests more or at the controller's next start",
          StepTiming.LATER);
    }
    LastTry last = failed ? LastTry.FAILED : detail == Detail.EVIDENCE ? last(claim) : LastTry.OPEN;
    return switch (last) {
      case FAILED ->
          growing(
              claim,
              "%s, again after a pause that doubles, of %s at most"
                  .formatted(make, AgeFormat.text(KeyedOperations.LONGEST_PAUSE.toSeconds())),
              StepTiming.AGAIN);
      case NONE -> growing(claim, make, StepTiming.AT_ONCE);
      case OPEN -> growing(claim, make + ", if possible", StepTiming.OPEN);
    };
  }

  private static NextStep growing(Claim claim, String text, StepTiming timing) {
    return new NextStep(StepActor.CONTROLLER, ExpectedAction.GROW, size(claim), text, timing);
  }

  private enum LastTry {
    NONE,
    FAILED,
    OPEN
  }

  // Reads the last event: an expansion in the controller's process leaves no condition.
  private LastTry last(Claim claim) throws InterruptedException {
    return switch (clusterView.events().about(claim)) {
      case ReadResult.Found<List<PastEvent>>(List<PastEvent> events) ->
          events.stream()
              .filter(event ->
                  Set.of(ResizeReason.FAILED_EVENT, ResizeReason.DONE_EVENT)
                      .contains(event.reason()))
              .max(Comparator.comparingLong(PastEvent::when))
              .filter(event -> event.reason().equals(ResizeReason.FAILED_EVENT))
              .map(event -> LastTry.FAILED)
              .orElse(LastTry.NONE);
      case ReadResult.Absent<List<PastEvent>> _ -> LastTry.NONE;
      case ReadResult.Failed<List<PastEvent>> _ -> LastTry.OPEN;
    };
  }
}
