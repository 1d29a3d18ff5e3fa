package dev.mooring.binder;

import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.Policy;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.explain.Sight;
import dev.mooring.informer.Snapshot;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;

record ClaimPreview(Sight sight, MovingIndex index) {
  ClaimDecision decide(ClaimView view, Policy by) throws InterruptedException {
    Snapshot<Volume> volumes = sight.informer(Kind.VOLUME).snapshot();
    Snapshot<Claim> claims = sight.informer(Kind.CLAIM).snapshot();
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
