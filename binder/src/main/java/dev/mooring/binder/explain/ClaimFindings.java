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

  static BinderFinding explainUnreadableKinds(ClaimView view, List<UnreadableKind> kinds) {
    String openQuestions =
        kinds.stream()
            .map(kind -> kind.openQuestion() + " (" + kind.kind().plural() + ")")
            .collect(Collectors.joining(", and "));
    String provisioner = view.claim().meta().annotation(BinderMarks.STORAGE_PROVISIONER);
    return BinderFinding.of(
        Reason.OBJECTS_UNREADABLE,
        "it is unknown "
            + openQuestions
            + (provisioner.isEmpty()
                ? ""
                : "; the claim has an annotation that assigns it to provisioner " + provisioner),
        NextStep.person("repeat the command with the right to get and list these objects"));
  }

  static BinderFinding of(ClaimView view, ClaimDecision decision) {
    Claim claim = view.claim();
    return switch (decision) {
      case ClaimDecision.Bind(Volume volume) -> explainBinding(claim, volume);
      case ClaimDecision.TakeDefaultClass(String name) -> explainDefaultClass(name);
      case ClaimDecision.Provision(StorageClass storageClass, String plugin) ->
          explainPossibleProvisioning(storageClass, plugin, "");
      case ClaimDecision.HandOver(StorageClass _, String provisioner) ->
          explainHandOver(claim, provisioner);
      case ClaimDecision.Reselect(String node) -> explainReselection(node);
      case ClaimDecision.Wait wait -> explainWaiting(view, wait);
      case ClaimDecision.Leave(Reason reason) ->
          BinderFinding.of(
                  reason,
                  reason.meaning(),
                  BinderFinding.controllerStep(
                      ExpectedAction.AWAIT_VOLUME,
                      "",
                      "binds it when its volume is Available again",
                      StepTiming.LATER))
              .withCandidates();
      case ClaimDecision.RefuseDataSource(String _, String message) ->
          misconfigured(Reason.DATA_SOURCE_UNSUPPORTED, message);
      case ClaimDecision.MarkLost(Reason reason, String message) ->
          explainLost(claim, reason, message);
      case ClaimDecision.Contradiction(Reason reason, String message) ->
          misconfigured(reason, message);
      case ClaimDecision.AwaitCache(String missingObject) ->
          unknown("the cluster changed in the meantime: " + missingObject + " exists now");
      case ClaimDecision.Unknown(String message) ->
          BinderFinding.of(
              Reason.OBJECTS_UNREADABLE,
              message,
              NextStep.person("repeat the command with the rights for it"));
      case ClaimDecision.ContinueSearch() -> unknown("the search is unfinished");
    };
  }

  static BinderFinding unknown(String message) {
    return BinderFinding.of(Reason.OBJECTS_UNREADABLE, message, NextStep.person("ask again"));
  }

  static BinderFinding misconfigured(Reason reason, String message) {
    return BinderFinding.forPerson(reason, message).withCandidates();
  }

  private static BinderFinding explainBinding(Claim claim, Volume volume) {
    String name = volume.meta().name();
    return isSettled(claim, volume)
        ? BinderFinding.of(Reason.BOUND, "it is bound to volume " + name, NextStep.NOTHING)
        : BinderFinding.of(
                Reason.BINDING,
                "volume " + name + " suits",
                BinderFinding.controllerStep(
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

  private static BinderFinding explainDefaultClass(String name) {
    return BinderFinding.of(
        Reason.TAKES_DEFAULT_CLASS,
        "the claim names no class; the default class is " + name,
        BinderFinding.controllerStep(
            ExpectedAction.SET_CLASS, name, "sets the claim's class to " + name));
  }

  private static BinderFinding explainReselection(String node) {
    return BinderFinding.of(
        Reason.NODE_GONE,
        "node " + node + " was selected for the claim, and is gone",
        BinderFinding.controllerStep(
            ExpectedAction.RESELECT,
            node,
            "removes the selection of node " + node + ", so that the scheduler selects another"));
  }

  private static BinderFinding explainWaiting(ClaimView view, ClaimDecision.Wait wait) {
    NextStep next =
        wait.setPending() && view.claim().phase() != ClaimPhase.PENDING
            ? BinderFinding.controllerStep(
                ExpectedAction.SET_PHASE,
                ClaimPhase.PENDING.toString(),
                "sets its phase to " + ClaimPhase.PENDING)
            : nextWhileWaiting(view, wait.reason());
    return new BinderFinding(
        wait.reason(), wait.message(), next, wait.reason() != Reason.VOLUME_MISSING);
  }

  private static NextStep nextWhileWaiting(ClaimView view, Reason reason) {
    return switch (reason) {
      case WAITS_FOR_CONSUMER -> NextStep.person("create a pod that uses the claim");
      case WAITS_FOR_SCHEDULING -> {
        String pods = String.join(", ", view.waitingPods());
        yield new NextStep(
            StepActor.SCHEDULER, ExpectedAction.SCHEDULE, pods, "selects a node for " + pods);
      }
      default -> NextStep.person(reason.remedy());
    };
  }

  private static BinderFinding explainLost(Claim claim, Reason reason, String message) {
    return claim.phase() == ClaimPhase.LOST
        ? BinderFinding.forPerson(reason, message)
        : BinderFinding.of(
            reason,
            message,
            BinderFinding.controllerStep(ExpectedAction.MARK_LOST, "", "sets its phase to Lost"));
  }

  private static BinderFinding explainHandOver(Claim claim, String provisioner) {
    boolean isHandedOver =
        claim.meta().annotation(BinderMarks.STORAGE_PROVISIONER).equals(provisioner);
    String node = claim.meta().annotation(BinderMarks.SELECTED_NODE);
    return BinderFinding.of(
            Reason.EXTERNAL_PROVISIONER,
            "no volume suits; provisioner "
                + provisioner
                + " has to provision one"
                + (node.isEmpty() ? "" : " for node " + node),
            isHandedOver
                ? new NextStep(
                    StepActor.PROVISIONER,
                    ExpectedAction.PROVISION,
                    provisioner,
                    provisioner + " provisions a volume, if it runs")
                : BinderFinding.controllerStep(
                    ExpectedAction.HAND_OVER,
                    provisioner,
                    "assigns the claim to "
                        + provisioner
                        + ", unless its flags disable provisioning",
                    StepTiming.UNLESS_OFF))
        .withCandidates();
  }

  static BinderFinding explainIgnored(String plugin, String reason) {
    return BinderFinding.of(
            Reason.EXTERNAL_PROVISIONER,
            "no volume suits; plugin "
                + plugin
                + " leaves the claim to another provisioner of that name: "
                + reason,
            new NextStep(
                StepActor.PROVISIONER,
                ExpectedAction.PROVISION,
                plugin,
                plugin + " of another process provisions a volume, if it runs"))
        .withCandidates();
  }

  static BinderFinding explainProvisioning(StorageClass storageClass, String plugin) {
    return explainProvisioning(
        storageClass,
        plugin,
        "; no event reports an earlier attempt",
        BinderFinding.controllerStep(
            ExpectedAction.PROVISION,
            plugin,
            "has plugin " + plugin + " create a volume, unless its flags disable provisioning",
            StepTiming.UNLESS_OFF));
  }

  static BinderFinding explainPossibleProvisioning(
      StorageClass storageClass, String plugin, String attempts) {
    return explainProvisioning(
        storageClass,
        plugin,
        attempts,
        BinderFinding.controllerStep(
            ExpectedAction.PROVISION,
            plugin,
            "has plugin " + plugin + " create a volume, if possible",
            StepTiming.OPEN));
  }

  private static BinderFinding explainProvisioning(
      StorageClass storageClass, String plugin, String attempts, NextStep next) {
    String name = storageClass.meta().name();
    String message =
        "no volume suits; plugin " + plugin + " provisions one of class " + name + attempts;
    return BinderFinding.of(Reason.PROVISIONING, message, next).withCandidates();
  }

  static BinderFinding explainGivenUp(String plugin, String failure) {
    String remedy =
        "remove the cause of the failures, then change the claim, for example an annotation: plugin "
            + plugin
            + " tries once more";
    return BinderFinding.of(Reason.PLUGIN_FAILED, failure, NextStep.person(remedy))
        .withCandidates();
  }

  static BinderFinding explainRetry(String plugin, String failure, BinderPolicy policy) {
    return BinderFinding.of(
            Reason.PLUGIN_FAILED,
            failure,
            BinderFinding.controllerStep(
                ExpectedAction.PROVISION,
                plugin,
                "has plugin " + plugin + " try again" + RetryDelays.afterFailure(policy),
                StepTiming.AGAIN))
        .withCandidates();
  }

  // replaces a person's step: until an attempt has failed, the claim is not marked for the plugin
  static BinderFinding withProvisionerStep(BinderFinding finding, String plugin) {
    return finding.isForController()
        ? finding
        : finding.withNextStep(
            BinderFinding.controllerStep(
                ExpectedAction.SET_PROVISIONER,
                plugin,
                "marks the claim for plugin " + plugin + ", unless its flags disable provisioning",
                StepTiming.UNLESS_OFF));
  }

  static BinderFinding explainProvisionedVolume(String volume, String failedTests) {
    String message = "volume " + volume + " was provisioned for it";
    return failedTests.isEmpty()
        ? BinderFinding.of(
                Reason.BINDING,
                message,
                BinderFinding.controllerStep(
                    ExpectedAction.BIND, volume, "binds it to volume " + volume))
            .withCandidates()
        : misconfigured(Reason.PROVISIONED_UNFIT, message + ", and " + failedTests);
  }

  static BinderFinding withoutNode(String message, String remedyPrefix) {
    String remedy =
        remedyPrefix + "remove annotation " + BinderMarks.SELECTED_NODE + " from the claim";
    return BinderFinding.of(Reason.NODE_MISSING, message, NextStep.person(remedy)).withCandidates();
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
