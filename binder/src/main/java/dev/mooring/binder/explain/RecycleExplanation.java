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
  BinderFinding of(Volume volume, String gone) {
    ObjectKey key =
        RecyclerPodNames.key(
            volume, RecyclerPodNames.DEFAULT_NAMESPACE, RecyclerStyle.of(policy.compat()));
    RecycleView seen = views.recycling(volume, key);
    RecycleView.PodRelation part =
        seen.recycler() == null ? RecycleView.PodRelation.NONE : RecycleView.PodRelation.OURS;
    return switch (RecycleDecider.decide(seen.with(part))) {
      case RecycleDecision.NoRecycler() -> BinderFinding.forPerson(Reason.NO_RECYCLER, gone);
      case RecycleDecision.InUse(List<ObjectKey> pods) ->
          BinderFinding.forPerson(
              Reason.RECYCLE_WAITS,
              gone
                  + ", and these pods still use it: "
                  + pods.stream().map(ObjectKey::toString).collect(Collectors.joining(", ")));
      case RecycleDecision.Wait() ->
          recycling(
              gone, "makes it Available when pod " + key + " has scrubbed it", StepTiming.LATER);
      case RecycleDecision.Succeeded _ ->
          recycling(
              gone, "makes it Available: pod " + key + " has scrubbed it", StepTiming.AT_ONCE);
      case RecycleDecision.Failed(Pod pod) -> failed(gone + "; pod " + pod.key() + " failed");
      case RecycleDecision.Start() ->
          volume.phase() == VolumePhase.FAILED
              ? failed(gone + "; " + volume.status().message())
              : recycling(
                  gone, "starts a pod that scrubs it, then makes it Available", StepTiming.AT_ONCE);
      case RecycleDecision.Vanished _, RecycleDecision.Leftover _, RecycleDecision.Recycled _ ->
          throw new IllegalStateException("only the process that recycles knows this");
    };
  }

  private static BinderFinding recycling(String note, String text, StepTiming timing) {
    return BinderFinding.of(Reason.RECYCLING, note, next(text, timing));
  }

  private static BinderFinding failed(String note) {
    return BinderFinding.of(
        Reason.RECYCLE_FAILED,
        note,
        next("starts another pod at the next resync", StepTiming.AGAIN));
  }

  private static NextStep next(String text, StepTiming timing) {
    return BinderFinding.controller(ExpectedAction.RECYCLE, "", text, timing);
  }
}
