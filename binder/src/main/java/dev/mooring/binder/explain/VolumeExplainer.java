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
import dev.mooring.time.Time;
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
  private final SnapshotIndex index;

  public VolumeExplainer(
      ClusterView clusterView, BinderPolicy policy, SnapshotIndex index, Time time) {
    this.clusterView = clusterView;
    this.policy = policy;
    this.views = new BinderViews(clusterView::informer, clusterView.plugins(), policy);
    this.reclaiming = new ReclaimExplanation(clusterView, policy, views, time);
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
    Optional<VolumeView> cachedView = views.volumeView(key);
    if (cachedView.isEmpty()) {
      return List.of();
    }
    VolumeView view = cachedView.get();
    Volume volume = view.volume();
    BinderFinding finding = explainVolume(view, detail);
    List<UnreadableKind> unreadable = clusterView.openQuestions(dependencies(finding));
    return List.of(
        new Explanation(
            new SubjectRef(Kind.VOLUME, key),
            ClaimExplainer.state(volume.meta(), volume.phase().toString()),
            volume.phase() == VolumePhase.UNSET ? volume.meta().created() : 0,
            finding.cause(),
            finding.message(),
            finding.next(),
            detail == Detail.EVIDENCE ? evidence(volume, finding) : Evidence.NONE,
            unreadable));
  }

  private BinderFinding explainVolume(VolumeView view, Detail detail) throws InterruptedException {
    Volume volume = view.volume();
    Optional<BinderFinding> blocker = reclaiming.explainBlocker(volume);
    if (blocker.isPresent()) {
      return blocker.get();
    }
    VolumeDecision decision =
        LiveDecisions.decide(
            clusterView.reader(),
            LiveFacts.NONE,
            facts -> VolumeDecider.decide(view.with(facts), policy));
    BinderFinding finding =
        switch (decision) {
          case VolumeDecision.WakeClaim(ObjectKey claim) -> explainReservation(volume, claim);
          case VolumeDecision.Reclaim(boolean release, boolean _) ->
              reclaiming.of(volume, release, detail);
          case VolumeDecision.SetPhase _,
              VolumeDecision.Unbind _,
              VolumeDecision.ModeMismatch _,
              VolumeDecision.Keep _,
              VolumeDecision.Unknown _ ->
              VolumeFindings.of(volume, decision);
        };
    return detail == Detail.EVIDENCE && finding.next().action() == ExpectedAction.SET_PHASE
        ? findBinding(volume).orElse(finding)
        : finding;
  }

  private Optional<BinderFinding> findBinding(Volume volume) throws InterruptedException {
    for (Claim claim : clusterView.informer(Kind.CLAIM).snapshot().objects()) {
      if (claim.volumeName().equals(volume.meta().name())) {
        Optional<ClaimView> view = views.claimView(claim.key());
        if (view.isPresent()
            && index.decide(clusterView, view.get(), policy)
                instanceof ClaimDecision.Bind(Volume boundVolume)
            && boundVolume.key().equals(volume.key())) {
          return Optional.of(VolumeFindings.binding(claim.key()));
        }
      }
    }
    return Optional.empty();
  }

  private static Map<Kind<?>, String> dependencies(BinderFinding finding) {
    if (finding.hasCandidates()) {
      return Map.of(Kind.CLAIM, "which claims wait for such a volume");
    }
    return finding.reason() == Reason.RECYCLING
        ? Map.of(Kind.POD, "whether pods still use it")
        : Map.of();
  }

  private BinderFinding explainReservation(Volume volume, ObjectKey claim)
      throws InterruptedException {
    Optional<ClaimView> cachedView = views.claimView(claim);
    if (cachedView.isEmpty()) {
      return VolumeFindings.binding(claim);
    }
    ClaimView view = cachedView.get();
    List<MatchReport.TestResult> failedTests =
        new VolumeTester(view, policy)
            .report(volume).results().stream().filter(result -> !result.passed()).toList();
    return VolumeFindings.reserved(
        volume, claim, index.decide(clusterView, view, policy), failedTests);
  }

  private Evidence evidence(Volume volume, BinderFinding finding) {
    List<String> errors =
        volume.status().message().isEmpty() ? List.of() : List.of(volume.status().message());
    return (finding.hasCandidates() ? claimEvidence(volume) : Evidence.NONE).withErrors(errors);
  }

  private record PendingClaim(ClaimView view, VolumeTester tester, int failedTests) {
    private static final Comparator<PendingClaim> NEAREST =
        Comparator.comparingInt(PendingClaim::failedTests)
            .thenComparing(pending -> pending.view.claim().key().toString());
  }

  private Evidence claimEvidence(Volume volume) {
    List<PendingClaim> pendingClaims = new ArrayList<>();
    for (Claim claim : clusterView.informer(Kind.CLAIM).snapshot().objects()) {
      if (claim.phase() == ClaimPhase.PENDING || claim.phase() == ClaimPhase.UNSET) {
        views
            .claimView(claim.key())
            .map(view -> testClaim(view, volume))
            .ifPresent(pendingClaims::addAll);
      }
    }
    pendingClaims.sort(PendingClaim.NEAREST);
    return Evidence.of(pendingClaims, pendingClaim -> candidate(pendingClaim, volume));
  }

  private List<PendingClaim> testClaim(ClaimView view, Volume volume) {
    VolumeTester tester =
        new VolumeTester(
            view, policy, ClaimExplainer.eligibleNodes(clusterView, views, view.claim()));
    return tester.isTested(volume)
        ? List.of(new PendingClaim(view, tester, tester.countFailedTests(volume)))
        : List.of();
  }

  private static Candidate candidate(PendingClaim pendingClaim, Volume volume) {
    Claim claim = pendingClaim.view.claim();
    return new Candidate(
        claim.key().toString(),
        "asks for %s %s".formatted(claim.request(), claim.accessModes()),
        ClaimExplainer.checks(pendingClaim.tester.report(volume)));
  }
}
