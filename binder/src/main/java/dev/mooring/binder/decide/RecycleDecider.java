package dev.mooring.binder.decide;

import dev.mooring.binder.decide.RecycleView.Part;
import dev.mooring.model.Pod;
import java.util.Set;

/**
 * Decides the next step of recycling. Every step rests on what is there: a crash between two of
 * them costs nothing but another scrub. Only that it is clean is remembered, so that a write which
 * failed afterwards does not cost one too.
 */
public final class RecycleDecider {
  private static final Set<String> SCRUBBABLE = Set.of("hostPath", "nfs");

  private RecycleDecider() {}

  /** Decides. */
  public static RecycleDecision decide(RecycleView view) {
    if (!SCRUBBABLE.contains(view.volume().source().type())) {
      return new RecycleDecision.NoRecycler();
    }
    if (view.part() == Part.SCRUBBED) {
      return new RecycleDecision.Scrubbed();
    }
    Pod recycler = view.recycler();
    if (recycler == null && view.part() == Part.VANISHED) {
      return new RecycleDecision.Vanished();
    }
    if (recycler == null) {
      return view.users().isEmpty()
          ? new RecycleDecision.Start()
          : new RecycleDecision.InUse(view.users());
    }
    if (recycler.meta().isBeingDeleted() || view.part() == Part.ENDED) {
      return new RecycleDecision.Wait();
    }
    if (view.part() != Part.OURS) {
      return new RecycleDecision.Leftover(recycler);
    }
    return switch (recycler.phase()) {
      case SUCCEEDED -> new RecycleDecision.Succeeded(recycler);
      case FAILED -> new RecycleDecision.Failed(recycler);
      case UNSET, PENDING, RUNNING -> new RecycleDecision.Wait();
    };
  }
}
