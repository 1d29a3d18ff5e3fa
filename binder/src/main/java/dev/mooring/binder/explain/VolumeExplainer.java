package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.MatchReport;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.VolumeDecider;
import dev.mooring.binder.decide.VolumeDecision;
import dev.mooring.binder.decide.VolumeTester;
import dev.mooring.binder.decide.VolumeView;
import dev.mooring.binder.state.BinderViews;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.explain.Candidate;
import dev.mooring.explain.Cause;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.explain.UnreadableKind;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Explains volumes: the binder's decision, and the claims that could take a free volume. */
public final class VolumeExplainer implements Explainer {
  private final ClusterView clusterView;
  private final BinderPolicy policy;
  private final BinderViews views;
  private final ReclaimExplanation reclaiming;
  private final MovingIndex index;

  public VolumeExplainer(ClusterView clusterView, BinderPolicy policy, MovingIndex index) {
    this.clusterView = clusterView;
    this.policy = policy;
    this.views = new BinderViews(clusterView::informer, clusterView.plugins(), policy);
    this.reclaiming = new ReclaimExplanation(clusterView, policy, views);
    this.index = index;
  }

  @Override
  public Kind<?> kind() {
    return Kind.VOLUME;
  }

  @Override
  public List<Cause> catalogue() {
    return BinderCauses.ofVolumes();
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) throws InterruptedException {
    Optional<VolumeView> found = views.volume(key);
    if (found.isEmpty()) {
      return List.of();
    }
    VolumeView view = found.get();
    Volume volume = view.volume();
    BinderFinding answer = answer(view, detail);
    List<UnreadableKind> open = clusterView.leftOpen(dependencies(answer));
    return List.of(
        new Explanation(
            new SubjectRef(Kind.VOLUME, key),
            ClaimExplainer.state(volume.meta(), volume.phase().toString()),
            volume.phase() == VolumePhase.UNSET ? volume.meta().created() : 0,
            answer.cause(),
            answer.note(),
            answer.next(),
            detail == Detail.EVIDENCE ? evidence(volume, answer) : Evidence.NONE,
            open));
  }

  private BinderFinding answer(VolumeView view, Detail detail) throws InterruptedException {
    Volume volume = view.volume();
    Optional<BinderFinding> jam = reclaiming.explainBlocker(volume);
    if (jam.isPresent()) {
      return jam.get();
    }
    VolumeDecision decision =
        LiveDecisions.decide(
            clusterView.reader(),
            LiveFacts.NONE,
            facts -> VolumeDecider.decide(view.with(facts), policy));
    BinderFinding answer =
        switch (decision) {
          case VolumeDecision.WakeClaim(ObjectKey claim) -> reserved(volume, claim);
          case VolumeDecision.Reclaim(boolean release) -> reclaiming.of(volume, release, detail);
          case VolumeDecision.SetPhase _,
              VolumeDecision.Unbind _,
              VolumeDecision.ModeMismatch _,
              VolumeDecision.Keep _,
              VolumeDecision.CannotTell _ ->
              VolumeFindings.of(volume, decision);
        };
    return detail == Detail.EVIDENCE && answer.next().action() == ExpectedAction.SET_PHASE
        ? claimed(volume).orElse(answer)
        : answer;
  }

  private Optional<BinderFinding> claimed(Volume volume) throws InterruptedException {
    for (Claim claim : clusterView.informer(Kind.CLAIM).snapshot().all()) {
      if (claim.volumeName().equals(volume.meta().name())) {
        Optional<ClaimView> view = views.claim(claim.key());
        if (view.isPresent()
            && index.decide(clusterView, view.get(), policy)
                instanceof ClaimDecision.Bind(Volume given)
            && given.key().equals(volume.key())) {
          return Optional.of(VolumeFindings.binding(claim.key()));
        }
      }
    }
    return Optional.empty();
  }

  private static Map<Kind<?>, String> dependencies(BinderFinding answer) {
    if (answer.hasCandidates()) {
      return Map.of(Kind.CLAIM, "which claims wait for such a volume");
    }
    return answer.reason() == Reason.RECYCLING
        ? Map.of(Kind.POD, "whether pods still use it")
        : Map.of();
  }

  private BinderFinding reserved(Volume volume, ObjectKey claim) throws InterruptedException {
    Optional<ClaimView> found = views.claim(claim);
    if (found.isEmpty()) {
      return VolumeFindings.binding(claim);
    }
    ClaimView view = found.get();
    List<MatchReport.TestResult> failed =
        new VolumeTester(view, policy)
            .report(volume).outcomes().stream().filter(o -> !o.passed()).toList();
    return VolumeFindings.reserved(volume, claim, index.decide(clusterView, view, policy), failed);
  }

  private Evidence evidence(Volume volume, BinderFinding answer) {
    List<String> errors =
        volume.status().message().isEmpty() ? List.of() : List.of(volume.status().message());
    return (answer.hasCandidates() ? claims(volume) : Evidence.NONE).withErrors(errors);
  }

  private record PendingClaim(ClaimView view, VolumeTester trials, int failed) {
    private static final Comparator<PendingClaim> NEAREST =
        Comparator.comparingInt(PendingClaim::failed)
            .thenComparing(waiting -> waiting.view.claim().key().toString());
  }

  private Evidence claims(Volume volume) {
    List<PendingClaim> waiting = new ArrayList<>();
    for (Claim claim : clusterView.informer(Kind.CLAIM).snapshot().all()) {
      if (claim.phase() == ClaimPhase.PENDING || claim.phase() == ClaimPhase.UNSET) {
        views.claim(claim.key()).map(view -> waiting(view, volume)).ifPresent(waiting::addAll);
      }
    }
    waiting.sort(PendingClaim.NEAREST);
    return Evidence.of(waiting, one -> candidate(one, volume));
  }

  private List<PendingClaim> waiting(ClaimView view, Volume volume) {
    VolumeTester trials =
        new VolumeTester(view, policy, ClaimExplainer.eligible(clusterView, views, view.claim()));
    return trials.concerns(volume)
        ? List.of(new PendingClaim(view, trials, trials.countFailed(volume)))
        : List.of();
  }

  private static Candidate candidate(PendingClaim waiting, Volume volume) {
    Claim claim = waiting.view.claim();
    return new Candidate(
        claim.key().toString(),
        "asks for %s %s".formatted(claim.request(), claim.accessModes()),
        ClaimExplainer.checks(waiting.trials.report(volume)));
  }
}
