package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.Reason;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.StepTiming;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.List;
import java.util.stream.Collectors;

/** Findings about claims, one for each decision. */
final class ClaimFindings {
  private ClaimFindings() {}

  static BinderFinding open(ClaimView view, List<UnreadableKind> open) {
    String what =
        open.stream()
            .map(unseen -> unseen.leavesOpen() + " (" + unseen.kind().plural() + ")")
            .collect(Collectors.joining(", and "));
    String handed = view.claim().meta().annotation(BinderMarks.STORAGE_PROVISIONER);
    return BinderFinding.of(
        Reason.CANNOT_TELL,
        "it is unknown "
            + what
            + (handed.isEmpty()
                ? ""
                : "; the claim has an annotation that hands it to provisioner " + handed),
        NextStep.person("repeat the command with the right to get and list these objects"));
  }

  static BinderFinding of(ClaimView view, ClaimDecision decision) {
    Claim claim = view.claim();
    return switch (decision) {
      case ClaimDecision.Bind(Volume volume) -> bind(claim, volume);
      case ClaimDecision.TakeDefaultClass(String name) -> takeDefault(name);
      case ClaimDecision.Provision(StorageClass storageClass, String plugin) ->
          mayProvision(storageClass, plugin, "");
      case ClaimDecision.HandOver(StorageClass _, String provisioner) ->
          handOver(claim, provisioner);
      case ClaimDecision.Reselect(String node) -> reselect(node);
      case ClaimDecision.Wait wait -> waiting(view, wait);
      case ClaimDecision.Leave(Reason why) ->
          BinderFinding.of(
                  why,
                  why.meaning(),
                  BinderFinding.controller(
                      ExpectedAction.AWAIT_VOLUME,
                      "",
                      "binds it when its volume is Available again",
                      StepTiming.LATER))
              .withCandidates();
      case ClaimDecision.RefuseCopy(String _, String note) ->
          misconfigured(Reason.DATA_SOURCE_UNSUPPORTED, note);
      case ClaimDecision.MarkLost(Reason why, String note) -> lost(claim, why, note);
      case ClaimDecision.Contradiction(Reason why, String note) -> misconfigured(why, note);
      case ClaimDecision.AwaitCache(String what) ->
          cannotTell("the cluster changed in the meantime: " + what + " exists now");
      case ClaimDecision.CannotTell(String why) ->
          BinderFinding.of(
              Reason.CANNOT_TELL,
              why,
              NextStep.person("repeat the command with the rights for it"));
      case ClaimDecision.ContinueSearch() -> cannotTell("the search is unfinished");
    };
  }

  static BinderFinding cannotTell(String why) {
    return BinderFinding.of(Reason.CANNOT_TELL, why, NextStep.person("ask again"));
  }

  static BinderFinding misconfigured(Reason why, String note) {
    return BinderFinding.forPerson(why, note).withCandidates();
  }

  private static BinderFinding bind(Claim claim, Volume volume) {
    String name = volume.meta().name();
    return isSettled(claim, volume)
        ? BinderFinding.of(Reason.BOUND, "it is bound to volume " + name, NextStep.NOTHING)
        : BinderFinding.of(
                Reason.BINDING,
                "volume " + name + " suits",
                BinderFinding.controller(
                    ExpectedAction.BIND,
                    name,
                    "binds it to volume " + name + ", unless another claim gets it first"))
            .withCandidates();
  }

  private static boolean isSettled(Claim claim, Volume volume) {
    ClaimRef ref = volume.claimRef();
    return claim.meta().hasAnnotation(BinderMarks.BIND_COMPLETED)
        && claim.phase() == ClaimPhase.BOUND
        && volume.phase() == VolumePhase.BOUND
        && ref != null
        && !ref.uid().isNone()
        && ref.isFor(claim.key(), claim.meta().uid());
  }

  private static BinderFinding takeDefault(String name) {
    return BinderFinding.of(
        Reason.TAKES_DEFAULT_CLASS,
        "the claim names no class; the default class is " + name,
        BinderFinding.controller(
            ExpectedAction.SET_CLASS, name, "sets the claim's class to " + name));
  }

  private static BinderFinding reselect(String node) {
    return BinderFinding.of(
        Reason.NODE_GONE,
        "node " + node + " was selected for the claim, and is gone",
        BinderFinding.controller(
            ExpectedAction.RESELECT,
            node,
            "removes the selection of node " + node + ", so that the scheduler selects another"));
  }

  private static BinderFinding waiting(ClaimView view, ClaimDecision.Wait wait) {
    NextStep next =
        wait.setPending() && view.claim().phase() != ClaimPhase.PENDING
            ? BinderFinding.controller(
                ExpectedAction.SET_PHASE,
                ClaimPhase.PENDING.toString(),
                "sets its phase to " + ClaimPhase.PENDING)
            : nextWhileWaiting(view, wait.why());
    return new BinderFinding(wait.why(), wait.note(), next, wait.why() != Reason.VOLUME_MISSING);
  }

  private static NextStep nextWhileWaiting(ClaimView view, Reason why) {
    return switch (why) {
      case WAITS_FOR_CONSUMER -> NextStep.person("create a pod that uses the claim");
      case WAITS_FOR_SCHEDULING -> {
        String pods = String.join(", ", view.waitingPods());
        yield new NextStep(
            StepActor.SCHEDULER, ExpectedAction.SCHEDULE, pods, "selects a node for " + pods);
      }
      default -> NextStep.person(why.remedy());
    };
  }

  private static BinderFinding lost(Claim claim, Reason why, String note) {
    return claim.phase() == ClaimPhase.LOST
        ? BinderFinding.forPerson(why, note)
        : BinderFinding.of(
            why,
            note,
            BinderFinding.controller(ExpectedAction.MARK_LOST, "", "sets its phase to Lost"));
  }

  private static BinderFinding handOver(Claim claim, String provisioner) {
    boolean handed = claim.meta().annotation(BinderMarks.STORAGE_PROVISIONER).equals(provisioner);
    String node = claim.meta().annotation(BinderMarks.SELECTED_NODE);
    return BinderFinding.of(
            Reason.EXTERNAL_PROVISIONER,
            "no volume suits; provisioner "
                + provisioner
                + " has to provision one"
                + (node.isEmpty() ? "" : " for node " + node),
            handed
                ? new NextStep(
                    StepActor.PROVISIONER,
                    ExpectedAction.PROVISION,
                    provisioner,
                    provisioner + " provisions a volume, if it runs")
                : BinderFinding.controller(
                    ExpectedAction.HAND_OVER,
                    provisioner,
                    "hands the claim to " + provisioner + ", unless its flags disable provisioning",
                    StepTiming.UNLESS_OFF))
        .withCandidates();
  }

  static BinderFinding provision(StorageClass storageClass, String plugin) {
    return provision(
        storageClass,
        plugin,
        "; no event reports an earlier attempt",
        BinderFinding.controller(
            ExpectedAction.PROVISION,
            plugin,
            "has plugin " + plugin + " create a volume, unless its flags disable provisioning",
            StepTiming.UNLESS_OFF));
  }

  static BinderFinding mayProvision(StorageClass storageClass, String plugin, String tried) {
    return provision(
        storageClass,
        plugin,
        tried,
        BinderFinding.controller(
            ExpectedAction.PROVISION,
            plugin,
            "has plugin " + plugin + " create a volume, if possible",
            StepTiming.OPEN));
  }

  private static BinderFinding provision(
      StorageClass storageClass, String plugin, String tried, NextStep next) {
    String name = storageClass.meta().name();
    String note = "no volume suits; plugin " + plugin + " provisions one of class " + name + tried;
    return BinderFinding.of(Reason.PROVISIONING, note, next).withCandidates();
  }

  static BinderFinding provisionAgain(String plugin, String failure, BinderPolicy policy) {
    return BinderFinding.of(
            Reason.PLUGIN_FAILED,
            failure,
            BinderFinding.controller(
                ExpectedAction.PROVISION,
                plugin,
                "has plugin " + plugin + " try again" + RetryDelays.afterFailure(policy),
                StepTiming.AGAIN))
        .withCandidates();
  }

  // replaces a person's step: before that, the controller marks the claim for the plugin
  static BinderFinding withMark(BinderFinding finding, String plugin) {
    return finding.isForController()
        ? finding
        : finding.with(
            BinderFinding.controller(
                ExpectedAction.SET_PROVISIONER,
                plugin,
                "marks the claim for plugin " + plugin + ", unless its flags disable provisioning",
                StepTiming.UNLESS_OFF));
  }

  static BinderFinding madeUnfit(String volume, String failed) {
    String note = "volume " + volume + " was provisioned for it";
    return failed.isEmpty()
        ? BinderFinding.of(
                Reason.BINDING,
                note,
                BinderFinding.controller(
                    ExpectedAction.BIND, volume, "binds it to volume " + volume))
            .withCandidates()
        : misconfigured(Reason.MADE_UNFIT, note + ", and " + failed);
  }

  static BinderFinding withoutNode(String note, String orElse) {
    String remedy = orElse + "remove annotation " + BinderMarks.SELECTED_NODE + " from the claim";
    return BinderFinding.of(Reason.NODE_MISSING, note, NextStep.person(remedy)).withCandidates();
  }

  static BinderFinding withoutDriver(String node, String driver) {
    return misconfigured(
        Reason.NODE_WITHOUT_DRIVER,
        "the scheduler selected node " + node + ", and driver " + driver + " does not run there");
  }

  // the request of an unbound claim is immutable: only a new claim can request less
  static BinderFinding tooLarge(String refusal) {
    String remedy = "delete the claim and create it again with a smaller request";
    return BinderFinding.of(Reason.PLUGIN_REFUSED, refusal, NextStep.person(remedy))
        .withCandidates();
  }
}
