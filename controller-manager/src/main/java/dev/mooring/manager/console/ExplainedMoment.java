package dev.mooring.manager.console;

import dev.mooring.console.view.Moment;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Sight;
import dev.mooring.explain.Unseen;
import dev.mooring.manager.explain.Explainers;
import dev.mooring.manager.explain.WhateverWaits;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;

/** A moment of a cluster, explained as {@code mooring explain} does. For one thread. */
final class ExplainedMoment implements Moment {
  private final Sight sight;
  private final Explainers explainers;
  private final WhateverWaits waits;

  ExplainedMoment(Sight sight, Explainers explainers) {
    this.sight = sight;
    this.explainers = explainers;
    this.waits = new WhateverWaits(sight, explainers, "");
  }

  @Override
  public Sight sight() {
    return sight;
  }

  @Override
  public List<Explanation> explain(Kind<?> kind, ObjectKey key) throws InterruptedException {
    return explainers.explain(kind, key, Detail.EVIDENCE);
  }

  @Override
  public List<Explanation> waiting(Kind<?> kind, ObjectKey key) throws InterruptedException {
    return waits.at(kind, key);
  }

  @Override
  public List<Unseen> unseen() {
    List<Unseen> all = new ArrayList<>();
    for (Kind<?> kind : Explainers.KINDS) {
      if (Explainers.MAIN.contains(kind)) {
        sight
            .unseen(kind)
            .ifPresent(why -> all.add(new Unseen(kind, why, "which " + kind.plural() + " wait")));
      } else {
        waits.isPassedOver(kind); // says so itself
      }
    }
    all.addAll(waits.unseen());
    return all;
  }
}
