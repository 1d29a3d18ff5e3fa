package dev.mooring.snapshots.explain;

import dev.mooring.cluster.LiveReader;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NamedFact;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Meta;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.snapshots.decide.SnapshotFinding;
import dev.mooring.snapshots.decide.SnapshotReason;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Turns findings about snapshots into explanations. */
final class SnapshotText {
  private static final String FACTS = "snapshot";

  private SnapshotText() {}

  static List<Cause> catalogue() {
    return Stream.of(SnapshotReason.values()).map(SnapshotText::toCause).toList();
  }

  private static Cause toCause(SnapshotReason reason) {
    return Cause.of(reason, reason.rank());
  }

  static Explanation explain(
      SubjectRef subject, Meta meta, SnapshotFinding finding, Evidence evidence) {
    return new Explanation(
        subject,
        describeState(meta, finding.reason()),
        meta.isBeingDeleted() ? meta.deleted() : meta.created(),
        toCause(finding.reason()),
        finding.message(),
        findNextStep(finding.reason()),
        evidence,
        List.of());
  }

  static Explanation explainUnread(SubjectRef subject, Meta meta, List<UnreadableKind> unread) {
    return new Explanation(
        subject,
        meta.isBeingDeleted() ? "Terminating" : "Pending",
        meta.isBeingDeleted() ? meta.deleted() : meta.created(),
        toCause(SnapshotReason.SNAPSHOT_WAITS_FOR_CONTROLLER).withRank(CauseRank.UNKNOWN),
        "",
        NextStep.person("repeat the command with the right to get and list these objects"),
        Evidence.NONE,
        unread);
  }

  private static String describeState(Meta meta, SnapshotReason reason) {
    if (meta.isBeingDeleted()) {
      return "Terminating";
    }
    return reason.rank() == CauseRank.FINE ? "Ready" : "Pending";
  }

  private static NextStep findNextStep(SnapshotReason reason) {
    return switch (reason) {
      case SNAPSHOT_READY, SNAPSHOT_CLASS_READY -> NextStep.NOTHING;
      case SNAPSHOT_REFUSED, SNAPSHOT_CLASS_AMBIGUOUS -> NextStep.person(reason.remedy());
      case SNAPSHOT_FAILING, SNAPSHOT_WAITS_FOR_DRIVER ->
          step(StepActor.DRIVER, "completes it, if its part for snapshots runs");
      case SNAPSHOT_WAITS_FOR_CONTROLLER ->
          step(StepActor.SNAPSHOT_CONTROLLER, "processes it, if one runs");
      case SNAPSHOT_WAITS_FOR_GROUP ->
          step(StepActor.SNAPSHOT_CONTROLLER, "completes it with its group");
      case SNAPSHOT_HELD ->
          step(StepActor.SNAPSHOT_CONTROLLER, "removes its finalizer when no object needs it");
      case SNAPSHOT_DELETING ->
          step(StepActor.SNAPSHOT_CONTROLLER, "removes its finalizer after its content is gone");
    };
  }

  private static NextStep step(StepActor actor, String text) {
    return new NextStep(actor, ExpectedAction.NONE, "", text);
  }

  static NamedFact fact(String name, String value) {
    return new NamedFact(FACTS, name, value);
  }

  static Evidence evidence(List<NamedFact> facts, Problem... problems) {
    List<String> errors = new ArrayList<>();
    for (Problem problem : problems) {
      if (!problem.isNone() && !errors.contains(problem.message())) {
        errors.add(problem.message());
      }
    }
    return Evidence.NONE
        .withErrors(errors)
        .withFacts(facts.stream().filter(fact -> !fact.value().isEmpty()).toList());
  }

  static Evidence addPlaces(Evidence evidence, LiveReader reader, String content)
      throws InterruptedException {
    List<NamedFact> facts = new ArrayList<>(evidence.facts());
    facts.addAll(new SnapshotPlaces(reader).describe(content));
    return evidence.withFacts(facts);
  }
}
