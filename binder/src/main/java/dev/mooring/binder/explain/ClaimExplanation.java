package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.SilentReason;
import dev.mooring.explain.Cause;
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

record ClaimExplanation(Cause cause, String note, NextStep next, boolean isOfVolumes) {
  private static final NextStep WITH_RIGHTS =
      NextStep.person("repeat the command with the rights for it");
  private static final NextStep AGAIN = NextStep.person("ask again");

  private static ClaimExplanation of(
      SilentReason why, String note, NextStep next, boolean isOfVolumes) {
    return new ClaimExplanation(BinderCauses.of(why), note, next, isOfVolumes);
  }

  static ClaimExplanation open(ClaimView view, List<UnreadableKind> open) {
    String what =
        open.stream()
            .map(unseen -> unseen.leavesOpen() + " (" + unseen.kind().plural() + ")")
            .collect(Collectors.joining(", and "));
    String handed = view.claim().meta().annotation(BinderMarks.STORAGE_PROVISIONER);
    return of(
        SilentReason.CANNOT_TELL,
        "it is unknown "
            + what
            + (handed.isEmpty()
                ? ""
                : "; the claim has an annotation that hands it to provisioner " + handed),
        NextStep.person("repeat the command with the right to get and list these objects"),
        false);
  }

  static ClaimExplanation of(ClaimView view, ClaimDecision decision) {
    Claim claim = view.claim();
    return switch (decision) {
      case ClaimDecision.Bind(Volume volume) -> bind(claim, volume);
      case ClaimDecision.TakeDefaultClass(String name) -> takeDefault(name);
      case ClaimDecision.Provision(StorageClass storageClass, String plugin) ->
          mayProvision(storageClass, plugin, "");
      case ClaimDecision.HandOver(StorageClass _, String provisioner) ->
          handOver(claim, provisioner);
      case ClaimDecision.Reselect(String node) -> reselect(node);
      case ClaimDecision.Wait(Reason why, String note, boolean setPending) ->
          new ClaimExplanation(
              BinderCauses.of(why),
              note,
              setPending && claim.phase() != ClaimPhase.PENDING
                  ? controller(
                      ExpectedAction.SET_PHASE,
                      ClaimPhase.PENDING.toString(),
                      "sets its phase to " + ClaimPhase.PENDING)
                  : waiting(view, why),
              why != Reason.VOLUME_MISSING);
      case ClaimDecision.Leave(SilentReason why) -> leave(why);
      case ClaimDecision.RefuseCopy(String _, String note) ->
          misconfigured(Reason.DATA_SOURCE_UNSUPPORTED, note);
      case ClaimDecision.MarkLost(Reason why, String note) -> lost(claim, why, note);
      case ClaimDecision.Contradiction(Reason why, String note) -> misconfigured(why, note);
      case ClaimDecision.AwaitCache(String what) ->
          cannotTell("the cluster changed in the meantime: " + what + " exists now");
      case ClaimDecision.CannotTell(String why) ->
          of(SilentReason.CANNOT_TELL, why, WITH_RIGHTS, false);
      case ClaimDecision.ContinueSearch() -> cannotTell("the search is unfinished");
    };
  }

  private static ClaimExplanation reselect(String node) {
    return new ClaimExplanation(
        BinderCauses.of(Reason.NODE_GONE),
        "node " + node + " was selected for the claim, and is gone",
        controller(
            ExpectedAction.RESELECT,
            node,
            "removes the selection of node " + node + ", so that the scheduler selects another"),
        false);
  }

  private static ClaimExplanation takeDefault(String name) {
    return of(
        SilentReason.TAKES_DEFAULT_CLASS,
        "the claim names no class; the default class is " + name,
        controller(ExpectedAction.SET_CLASS, name, "sets the claim's class to " + name),
        false);
  }

  static ClaimExplanation provision(StorageClass storageClass, String plugin) {
    return provision(
        storageClass,
        plugin,
        "; no event reports an earlier attempt",
        new NextStep(
            StepActor.CONTROLLER,
            ExpectedAction.PROVISION,
            plugin,
            "has plugin " + plugin + " create a volume, unless its flags disable provisioning",
            StepTiming.UNLESS_OFF));
  }

  ClaimExplanation marking(String plugin) {
    return next.by() == StepActor.CONTROLLER
        ? this
        : new ClaimExplanation(
            cause,
            note,
            new NextStep(
                StepActor.CONTROLLER,
                ExpectedAction.MARK,
                plugin,
                "marks the claim for plugin " + plugin + ", unless its flags disable provisioning",
                StepTiming.UNLESS_OFF),
            isOfVolumes);
  }

  static ClaimExplanation mayProvision(StorageClass storageClass, String plugin, String tried) {
    return provision(
        storageClass,
        plugin,
        tried,
        new NextStep(
            StepActor.CONTROLLER,
            ExpectedAction.PROVISION,
            plugin,
            "has plugin " + plugin + " create a volume, if possible",
            StepTiming.OPEN));
  }

  private static ClaimExplanation provision(
      StorageClass storageClass, String plugin, String tried, NextStep next) {
    return of(
        SilentReason.PROVISIONING,
        "no volume suits; plugin "
            + plugin
            + " provisions one of class "
            + storageClass.meta().name()
            + tried,
        next,
        true);
  }

  static ClaimExplanation provisionAgain(String plugin, String failure, BinderPolicy policy) {
    return new ClaimExplanation(
        BinderCauses.of(Reason.PLUGIN_FAILED),
        failure,
        new NextStep(
            StepActor.CONTROLLER,
            ExpectedAction.PROVISION,
            plugin,
            "has plugin " + plugin + " try again" + RetryDelays.afterFailure(policy),
            StepTiming.AGAIN),
        true);
  }

  static ClaimExplanation madeUnfit(String volume, String failed) {
    return failed.isEmpty()
        ? of(
            SilentReason.BINDING,
            "volume " + volume + " was provisioned for it",
            controller(ExpectedAction.BIND, volume, "binds it to volume " + volume),
            true)
        : of(
            SilentReason.MADE_UNFIT,
            "volume " + volume + " was provisioned for it, and " + failed,
            NextStep.person(SilentReason.MADE_UNFIT.remedy()),
            true);
  }

  static ClaimExplanation withoutNode(String note, String orElse) {
    return new ClaimExplanation(
        BinderCauses.of(Reason.NODE_MISSING),
        note,
        NextStep.person(
            orElse + "remove annotation " + BinderMarks.SELECTED_NODE + " from the claim"),
        true);
  }

  static ClaimExplanation withoutDriver(String node, String driver) {
    return of(
        SilentReason.NODE_WITHOUT_DRIVER,
        "the scheduler selected node " + node + ", and driver " + driver + " does not run there",
        NextStep.person(SilentReason.NODE_WITHOUT_DRIVER.remedy()),
        true);
  }

  /** The request of an unbound claim is immutable: only a new claim can request less. */
  static ClaimExplanation tooLarge(String refusal) {
    return new ClaimExplanation(
        BinderCauses.of(Reason.PLUGIN_REFUSED),
        refusal,
        NextStep.person("delete the claim and create it again with a smaller request"),
        true);
  }

  static ClaimExplanation cannotTell(String why) {
    return of(SilentReason.CANNOT_TELL, why, AGAIN, false);
  }

  private static NextStep controller(ExpectedAction action, String target, String text) {
    return new NextStep(StepActor.CONTROLLER, action, target, text);
  }

  static ClaimExplanation misconfigured(Reason why, String note) {
    return new ClaimExplanation(BinderCauses.of(why), note, NextStep.person(why.remedy()), true);
  }

  private static NextStep later(ExpectedAction action, String text) {
    return new NextStep(StepActor.CONTROLLER, action, "", text, StepTiming.LATER);
  }

  private static ClaimExplanation bind(Claim claim, Volume volume) {
    String name = volume.meta().name();
    return isSettled(claim, volume)
        ? of(SilentReason.BOUND, "it is bound to volume " + name, NextStep.NOTHING, false)
        : of(
            SilentReason.BINDING,
            "volume " + name + " suits",
            controller(
                ExpectedAction.BIND,
                name,
                "binds it to volume " + name + ", unless another claim gets it first"),
            true);
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

  private static ClaimExplanation handOver(Claim claim, String provisioner) {
    boolean handed = claim.meta().annotation(BinderMarks.STORAGE_PROVISIONER).equals(provisioner);
    String node = claim.meta().annotation(BinderMarks.SELECTED_NODE);
    return new ClaimExplanation(
        BinderCauses.of(Reason.EXTERNAL_PROVISIONER),
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
            : new NextStep(
                StepActor.CONTROLLER,
                ExpectedAction.HAND_OVER,
                provisioner,
                "hands the claim to " + provisioner + ", unless its flags disable provisioning",
                StepTiming.UNLESS_OFF),
        true);
  }

  private static ClaimExplanation leave(SilentReason why) {
    return of(
        why,
        why.meaning(),
        why == SilentReason.BEING_DELETED
            ? later(ExpectedAction.RELEASE, "removes it when nothing holds it")
            : later(ExpectedAction.AWAIT_VOLUME, "binds it when its volume is Available again"),
        why != SilentReason.BEING_DELETED);
  }

  private static ClaimExplanation lost(Claim claim, Reason why, String note) {
    return new ClaimExplanation(
        BinderCauses.of(why),
        note,
        claim.phase() == ClaimPhase.LOST
            ? NextStep.person(why.remedy())
            : controller(ExpectedAction.MARK_LOST, "", "sets its phase to Lost"),
        false);
  }

  private static NextStep waiting(ClaimView view, Reason why) {
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
}
