package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.RecycleDecider;
import dev.mooring.binder.decide.RecycleDecision;
import dev.mooring.binder.decide.RecycleView;
import dev.mooring.binder.decide.RecyclerStyle;
import dev.mooring.binder.state.BinderViews;
import dev.mooring.binder.state.RecyclerPodNames;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepTiming;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Explains volumes that are recycled. Assumes that the running controller created any pod with the
 * recycler pod's name.
 */
record RecycleExplanation(BinderViews views, BinderPolicy policy) {
  BinderFinding of(Volume volume, String claimGone) {
    ObjectKey key =
        RecyclerPodNames.podKey(
            volume, RecyclerPodNames.DEFAULT_NAMESPACE, RecyclerStyle.of(policy.compat()));
    RecycleView cachedView = views.recycleView(volume, key);
    RecycleView.PodRelation relation =
        cachedView.recycler() == null ? RecycleView.PodRelation.NONE : RecycleView.PodRelation.OURS;
    return switch (RecycleDecider.decide(cachedView.with(relation))) {
      case RecycleDecision.NoRecycler() -> BinderFinding.forPerson(Reason.NO_RECYCLER, claimGone);
      case RecycleDecision.InUse(List<ObjectKey> pods) ->
          BinderFinding.forPerson(
              Reason.RECYCLE_WAITS,
              claimGone
                  + ", and these pods still use it: "
                  + pods.stream().map(ObjectKey::toString).collect(Collectors.joining(", ")));
      case RecycleDecision.Wait() ->
          recycling(
              claimGone,
              "makes it Available when pod " + key + " has scrubbed it",
              StepTiming.LATER);
      case RecycleDecision.Succeeded _ ->
          recycling(
              claimGone, "makes it Available: pod " + key + " has scrubbed it", StepTiming.AT_ONCE);
      case RecycleDecision.Failed(Pod pod) -> failed(claimGone + "; pod " + pod.key() + " failed");
      case RecycleDecision.Start() ->
          volume.phase() == VolumePhase.FAILED
              ? failed(claimGone + "; " + volume.status().message())
              : recycling(
                  claimGone,
                  "starts a pod that scrubs it, then makes it Available",
                  StepTiming.AT_ONCE);
      case RecycleDecision.Vanished _, RecycleDecision.Leftover _, RecycleDecision.Recycled _ ->
          throw new IllegalStateException("only the process that recycles knows this");
    };
  }

  private static BinderFinding recycling(String message, String text, StepTiming timing) {
    return BinderFinding.of(Reason.RECYCLING, message, recycleStep(text, timing));
  }

  private static BinderFinding failed(String message) {
    return BinderFinding.of(
        Reason.RECYCLE_FAILED,
        message,
        recycleStep("starts another pod at the next resync", StepTiming.AGAIN));
  }

  private static NextStep recycleStep(String text, StepTiming timing) {
    return BinderFinding.controllerStep(ExpectedAction.RECYCLE, "", text, timing);
  }
}
