package dev.mooring.binder;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.explain.ClusterView;
import dev.mooring.informer.CacheSnapshot;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;

record ClaimPreview(ClusterView sight, MovingIndex index) {
  ClaimDecision decide(ClaimView view, BinderPolicy by) throws InterruptedException {
    CacheSnapshot<Volume> volumes = sight.informer(Kind.VOLUME).snapshot();
    CacheSnapshot<Claim> claims = sight.informer(Kind.CLAIM).snapshot();
    LiveFacts facts = LiveFacts.NONE;
    while (true) {
      ClaimView seen = view.with(facts);
      ClaimDecision decision =
          index.look(volumes, claims, view.claim(), all -> ClaimDecider.decide(seen, all, by));
      if (decision instanceof ClaimDecision.Ask ask) {
        facts = LiveDecisions.ask(sight.reader(), facts, ask);
      } else if (!(decision instanceof ClaimDecision.ContinueSearch)) {
        return decision;
      }
    }
  }
}
