package dev.mooring.binder.decide;

import dev.mooring.binder.decide.RecycleView.PodRelation;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides the next step of recycling from the current objects: a crash between two steps costs only
 * another recycler pod. The process remembers only that the volume is clean, so that a later failed
 * write does not cost another scrub.
 */
public final class RecycleDecider {
  private static final Set<String> RECYCLABLE = Set.of("hostPath", "nfs");

  private RecycleDecider() {}

  public static RecycleDecision decide(RecycleView view) {
    if (!RECYCLABLE.contains(view.volume().source().type())) {
      return new RecycleDecision.NoRecycler();
    }
    if (view.relation() == PodRelation.RECYCLED) {
      return new RecycleDecision.Recycled();
    }
    Pod recycler = view.recycler();
    if (recycler == null && view.relation() == PodRelation.VANISHED) {
      return new RecycleDecision.Vanished();
    }
    if (recycler == null) {
      return view.users().isEmpty()
          ? new RecycleDecision.Start()
          : new RecycleDecision.InUse(view.users());
    }
    if (recycler.meta().isBeingDeleted() || view.relation() == PodRelation.ENDED) {
      return new RecycleDecision.Wait();
    }
    if (view.relation() != PodRelation.OURS) {
      return new RecycleDecision.Leftover(recycler);
    }
    return switch (recycler.phase()) {
      case SUCCEEDED -> new RecycleDecision.Succeeded(recycler);
      case FAILED -> new RecycleDecision.Failed(recycler);
      case UNSET, PENDING, RUNNING -> new RecycleDecision.Wait();
    };
  }

  /**
   * Decides whether a recycler pod still scrubs a volume that is about to be given to a claim,
   * which would lose data.
   *
   * @param pods possible names of recycler pods
   */
  public static Step<RecyclerPodVerdict> findRunningPod(List<ObjectKey> pods, LiveFacts live) {
    List<Question<?>> openQuestions = new ArrayList<>();
    Optional<Pod> running = Optional.empty();
    for (ObjectKey key : pods) {
      Question.ObjectRead<Pod> question = new Question.ObjectRead<>(Kind.POD, key);
      switch (live.of(question)) {
        case Fact.NotAsked<Pod> _ -> openQuestions.add(question);
        case Fact.Absent<Pod> _ -> {} // E1
        case Fact.Unknown<Pod>(String message) -> { // E2
          return Step.decided(
              new RecyclerPodVerdict.Unknown(
                  "whether pod " + key + " scrubs the volume is unknown: " + message));
        }
        case Fact.Present<Pod>(Pod pod) -> running = running.or(() -> runningPod(pod)); // E3, E4
      }
    }
    return openQuestions.isEmpty()
        ? Step.decided(
            running
                .<RecyclerPodVerdict>map(RecyclerPodVerdict.Scrubs::new)
                .orElse(new RecyclerPodVerdict.None()))
        : new Step.Ask<>(openQuestions);
  }

  private static Optional<Pod> runningPod(Pod pod) {
    return pod.isTerminated() ? Optional.empty() : Optional.of(pod);
  }
}
