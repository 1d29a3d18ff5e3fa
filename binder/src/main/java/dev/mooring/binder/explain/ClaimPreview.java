package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecider;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.explain.ClusterView;
import dev.mooring.informer.CacheSnapshot;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import java.util.List;

record ClaimPreview(ClusterView sight, MovingIndex index) {
  ClaimDecision decide(ClaimView view, BinderPolicy by) throws InterruptedException {
    CacheSnapshot<Volume> volumes = sight.informer(Kind.VOLUME).snapshot();
    CacheSnapshot<Claim> claims = sight.informer(Kind.CLAIM).snapshot();
    LiveFacts facts = LiveFacts.NONE;
    while (true) {
      ClaimView seen = view.with(facts);
      switch (index.look(
          volumes, claims, view.claim(), all -> ClaimDecider.decide(seen, all, by))) {
        case Step.Ask<ClaimDecision>(List<Question<?>> questions) ->
            facts = LiveDecisions.ask(sight.reader(), facts, questions);
        case Step.Decided<ClaimDecision>(ClaimDecision.ContinueSearch _) -> {}
        case Step.Decided<ClaimDecision>(ClaimDecision decision) -> {
          return decision;
        }
      }
    }
  }
}
