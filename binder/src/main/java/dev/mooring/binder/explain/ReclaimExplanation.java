package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.DeleterVerdict;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.ReclaimDecider;
import dev.mooring.binder.decide.ReclaimDecision;
import dev.mooring.binder.decide.VolumeDecider;
import dev.mooring.binder.state.BinderViews;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.StepTiming;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.spi.Deleter;
import dev.mooring.storage.PluginStorage;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.time.Time;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

final class ReclaimExplanation {
  // reasons for which a volume becomes Failed
  private static final Set<Reason> FAILED_REASONS =
      EnumSet.of(Reason.NO_DELETER, Reason.NO_RECYCLER, Reason.POLICY_UNKNOWN);

  private final ClusterView clusterView;
  private final BinderPolicy policy;
  private final BinderViews views;
  private final RecycleExplanation recycling;
  private final CondemnationExplanation condemnation;

  ReclaimExplanation(ClusterView clusterView, BinderPolicy policy, BinderViews views, Time time) {
    this.clusterView = clusterView;
    this.policy = policy;
    this.views = views;
    this.condemnation = new CondemnationExplanation(clusterView, time);
    this.recycling = new RecycleExplanation(views, policy);
  }

  Optional<BinderFinding> explainBlocker(Volume volume) {
    if (!volume.meta().isBeingDeleted()) {
      return Optional.empty();
    }
    if (policy.compat().isKubernetes() && VolumeDecider.isAbandoned(volume)) {
      return Optional.of(
          BinderFinding.forPerson(
              Reason.FINALIZER_STAYS,
              "it has no claim, and "
                  + BinderMarks.IN_TREE_FINALIZER
                  + " is removed only when a claim ends"));
    }
    return views
        .migrationUpdate(volume)
        .filter(update -> !volume.finalizers().containsAll(update.finalizers()))
        .map(update -> explainRefusedFinalizer());
  }

  private static BinderFinding explainRefusedFinalizer() {
    String finalizer = BinderMarks.IN_TREE_FINALIZER;
    return BinderFinding.of(
        Reason.FINALIZER_REFUSED,
        "it lacks "
            + finalizer
            + ", and the API server accepts no new finalizer on an object that is being deleted",
        BinderFinding.controllerStep(
            ExpectedAction.ADD_FINALIZER,
            finalizer,
            "retries to add finalizer " + finalizer + ", which the API server rejects",
            StepTiming.AGAIN));
  }

  BinderFinding of(Volume volume, boolean release, Detail detail) throws InterruptedException {
    BinderFinding finding = explainDestruction(volume, detail);
    VolumePhase requiredPhase =
        FAILED_REASONS.contains(finding.reason())
            ? VolumePhase.FAILED
            : release ? VolumePhase.RELEASED : volume.phase();
    return finding.isForController() || requiredPhase == volume.phase()
        ? finding
        : finding.withNextStep(VolumeFindings.setPhase(requiredPhase));
  }

  private BinderFinding explainDestruction(Volume volume, Detail detail)
      throws InterruptedException {
    String claimText = describeFormerClaim(volume);
    ReclaimDecision decision = ReclaimDecider.decideReclaim(volume, false);
    boolean isKept =
        decision instanceof ReclaimDecision.Retain
            || decision instanceof ReclaimDecision.UnknownPolicy;
    Optional<BinderFinding> condemned =
        isKept ? Optional.empty() : condemnation.of(volume, claimText);
    return condemned.isPresent() ? condemned.get() : of(volume, decision, claimText, detail);
  }

  private String describeFormerClaim(Volume volume) {
    String claim = VolumeFindings.claimOf(volume);
    if (claim.isEmpty()) {
      return "it has no claim";
    }
    return hasClaim(volume)
        ? "claim " + claim + " has another volume"
        : "claim " + claim + " is gone";
  }

  private boolean hasClaim(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null
        && views
            .claims()
            .get(ref.claim())
            .filter(claim -> claim.meta().uid().equals(ref.uid()))
            .isPresent();
  }

  private BinderFinding of(Volume volume, ReclaimDecision decision, String claimText, Detail detail)
      throws InterruptedException {
    return switch (decision) {
      case ReclaimDecision.Others() ->
          byOthers(volume, claimText, findIgnoreReason(volume, detail));
      case ReclaimDecision.Retain() -> BinderFinding.forPerson(Reason.RETAINED, claimText);
      case ReclaimDecision.Recycle() -> recycling.of(volume, claimText);
      case ReclaimDecision.UnknownPolicy() ->
          BinderFinding.forPerson(Reason.POLICY_UNKNOWN, claimText);
      case ReclaimDecision.Delete _, ReclaimDecision.Destroyed _ ->
          switch (views.findDeleter(volume).verdict()) {
            case DeleterVerdict.Others() ->
                byOthers(volume, claimText, findIgnoreReason(volume, detail));
            case DeleterVerdict.NoDeleter(String message) ->
                BinderFinding.forPerson(Reason.NO_DELETER, message);
            case DeleterVerdict.Plugin(String plugin) ->
                byPluginOrOthers(volume, plugin, claimText, detail);
          };
    };
  }

  private BinderFinding byPluginOrOthers(
      Volume volume, String plugin, String claimText, Detail detail) throws InterruptedException {
    Optional<String> ignoreReason = findIgnoreReason(volume, detail);
    if (ignoreReason.isPresent()) {
      return byOthers(volume, claimText, ignoreReason);
    }
    Optional<String> givenUpNote = findGivenUpDeletion(volume, detail);
    return givenUpNote.isPresent()
        ? BinderFinding.of(
            Reason.DELETE_FAILED,
            claimText + "; " + givenUpNote.get(),
            NextStep.person(
                "remove the cause of the failures, then change the volume, for example an annotation: plugin "
                    + plugin
                    + " tries once more"))
        : byPlugin(volume, plugin, claimText, detail);
  }

  private BinderFinding byPlugin(Volume volume, String plugin, String claimText, Detail detail)
      throws InterruptedException {
    if (volume.phase() == VolumePhase.FAILED) {
      String message = volume.status().message();
      return explainRetry(
          Reason.DELETE_FAILED, plugin, claimText + (message.isEmpty() ? "" : "; " + message));
    }
    if (volume.meta().isBeingDeleted()
        && !volume.finalizers().contains(BinderMarks.IN_TREE_FINALIZER)) {
      return BinderFinding.of(
          Reason.DELETED_UNLESS_HELD,
          claimText + ", and the object is being deleted",
          deleteStep(plugin, "delete it, unless it is deleted already", StepTiming.OPEN));
    }
    if (detail == Detail.SUMMARY) {
      return mayDelete(plugin, claimText);
    }
    // a delayed deletion has an event although it did not fail
    return switch (PastAttempts.findLast(clusterView, volume, Reason.DELETE_WAITS.event())) {
      case ReadResult.Absent<PastEvent> _ ->
          BinderFinding.of(
              Reason.DELETING, claimText, deleteStep(plugin, "delete it", StepTiming.AT_ONCE));
      case ReadResult.Failed<PastEvent> _ -> mayDelete(plugin, claimText + PastAttempts.UNREAD);
      case ReadResult.Found<PastEvent>(PastEvent lastEvent) ->
          lastEvent.type() == ClusterEvent.Type.WARNING
              ? BinderFinding.forPerson(Reason.DELETIONS_HELD, claimText + "; " + lastEvent.note())
              : explainRetry(Reason.DELETE_WAITS, plugin, claimText + "; " + lastEvent.note());
    };
  }

  private static BinderFinding mayDelete(String plugin, String message) {
    return BinderFinding.of(
        Reason.DELETING, message, deleteStep(plugin, "delete it, if possible", StepTiming.OPEN));
  }

  private BinderFinding explainRetry(Reason reason, String plugin, String message) {
    return BinderFinding.of(
        reason,
        message,
        deleteStep(
            plugin, "try again to delete it" + RetryDelays.afterFailure(policy), StepTiming.AGAIN));
  }

  private static NextStep deleteStep(String plugin, String action, StepTiming timing) {
    return BinderFinding.controllerStep(
        ExpectedAction.DELETE, plugin, "has plugin " + plugin + " " + action, timing);
  }

  private static BinderFinding byOthers(
      Volume volume, String claimText, Optional<String> ignoreReason) {
    String provisioner = volume.meta().annotation(BinderMarks.PROVISIONED_BY);
    String deleter = provisioner.isEmpty() ? "its driver" : provisioner;
    return BinderFinding.of(
        Reason.DELETED_BY_OTHERS,
        ignoreReason
            .map(reason ->
                "%s; plugin %s leaves the volume to another provisioner of that name: %s"
                    .formatted(claimText, provisioner, reason))
            .orElse(claimText),
        new NextStep(
            StepActor.PROVISIONER,
            ExpectedAction.DELETE,
            provisioner,
            deleter
                + (ignoreReason.isPresent() ? " of another process" : "")
                + " deletes it, if it runs"));
  }

  // asks the plugin only in an explanation of one volume, not of thousands
  private Optional<String> findIgnoreReason(Volume volume, Detail detail) {
    String plugin = volume.meta().annotation(BinderMarks.PROVISIONED_BY);
    return detail == Detail.SUMMARY || plugin.isEmpty()
        ? Optional.empty()
        : new PluginStorage(() -> clusterView.plugins().find(plugin), "")
            .checkService(Deleter.Request.of(volume))
            .flatMap(result ->
                result instanceof DestroyResult.NotResponsible(String reason)
                    ? Optional.of(reason)
                    : Optional.empty());
  }

  private Optional<String> findGivenUpDeletion(Volume volume, Detail detail)
      throws InterruptedException {
    return detail == Detail.EVIDENCE
            && PastAttempts.findLast(clusterView, volume, Reason.DELETE_FAILED.event())
                instanceof ReadResult.Found<PastEvent>(PastEvent lastEvent)
            && lastEvent.note().endsWith(ProvisionConfig.GIVEN_UP)
        ? Optional.of(lastEvent.note())
        : Optional.empty();
  }
}
