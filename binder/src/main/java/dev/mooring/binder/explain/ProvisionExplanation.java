package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.CodedNote;
import dev.mooring.binder.decide.MatchReport;
import dev.mooring.binder.decide.NodeVerdict;
import dev.mooring.binder.decide.ProvisionDecider;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.VolumeTester;
import dev.mooring.binder.state.ProvisionJob;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.SavedDecider;
import dev.mooring.storage.decide.SavedVerdict;
import java.util.Optional;
import java.util.stream.Collectors;

final class ProvisionExplanation {
  // how external-provisioner and Mooring's provisioner begin the event of an infeasible request
  private static final String INFEASIBLE = "Volume provisioning failed with infeasible error";

  private final ClusterView clusterView;
  private final BinderPolicy policy;
  private final SnapshotReader seen;

  ProvisionExplanation(ClusterView clusterView, BinderPolicy policy) {
    this.clusterView = clusterView;
    this.policy = policy;
    this.seen = new SnapshotReader(clusterView);
  }

  BinderFinding of(ClaimView view, StorageClass storageClass, String plugin, Detail detail)
      throws InterruptedException {
    Claim claim = view.claim();
    BinderFinding answer = answer(view, storageClass, plugin, detail);
    return claim.meta().annotation(BinderMarks.STORAGE_PROVISIONER).equals(plugin)
        ? answer
        : ClaimFindings.withMark(answer, plugin);
  }

  private BinderFinding answer(
      ClaimView view, StorageClass storageClass, String plugin, Detail detail)
      throws InterruptedException {
    Claim claim = view.claim();
    SavedVerdict saved =
        LiveDecisions.decide(
            seen,
            LiveFacts.NONE,
            facts -> SavedDecider.decide(ProvisionDecider.volumeOf(claim), claim, facts));
    return switch (saved) {
      case SavedVerdict.Saved() -> explainMade(view);
      case SavedVerdict.NameTaken(Volume by) -> taken(by);
      case SavedVerdict.CannotTell(String why) -> ClaimFindings.cannotTell(why);
      case SavedVerdict.NotThere() -> {
        Optional<BinderFinding> noNode = explainMissingNode(claim);
        yield noNode.isPresent()
            ? noNode.get()
            : explainAttempt(claim, storageClass, plugin, detail);
      }
    };
  }

  private BinderFinding explainMade(ClaimView view) {
    Volume volume =
        clusterView
            .informer(Kind.VOLUME)
            .get(ProvisionDecider.volumeOf(view.claim()))
            .orElseThrow();
    String failed =
        new VolumeTester(view, policy)
            .report(volume).outcomes().stream()
                .filter(outcome -> !outcome.passed())
                .map(MatchReport.TestResult::note)
                .collect(Collectors.joining(", "));
    return ClaimFindings.madeUnfit(volume.meta().name(), failed);
  }

  private static BinderFinding taken(Volume by) {
    ClaimRef ref = by.claimRef();
    return ClaimFindings.misconfigured(
        Reason.VOLUME_NAME_TAKEN,
        "volume "
            + by.meta().name()
            + " exists, and "
            + (ref == null ? "has no claim" : "belongs to claim " + ref.claim()));
  }

  private Optional<BinderFinding> explainMissingNode(Claim claim) throws InterruptedException {
    NodeVerdict verdict =
        LiveDecisions.decide(seen, LiveFacts.NONE, facts -> ProvisionDecider.isThere(claim, facts));
    String node = claim.meta().annotation(BinderMarks.SELECTED_NODE);
    return switch (verdict) {
      case NodeVerdict.There() -> Optional.empty();
      case NodeVerdict.Gone() ->
          Optional.of(ClaimFindings.withoutNode("node does not exist: " + node, "restore it, or "));
      case NodeVerdict.Impossible(String flaw) ->
          Optional.of(ClaimFindings.withoutNode("the selected node cannot exist: " + flaw, ""));
      case NodeVerdict.CannotTell(String why) ->
          Optional.of(ClaimFindings.cannotTell("node " + node + " could not be looked up: " + why));
    };
  }

  // asks the plugin for a dry run only in an explanation of one claim, not of thousands
  private BinderFinding explainAttempt(
      Claim claim, StorageClass storageClass, String plugin, Detail detail)
      throws InterruptedException {
    if (detail == Detail.SUMMARY) {
      return ClaimFindings.mayProvision(storageClass, plugin, "");
    }
    ProvisionJob job = new ProvisionJob(completeClaim(claim), storageClass, plugin);
    Optional<String> refusal =
        job.storage(clusterView.plugins()).maker().flatMap(maker -> maker.refuses(job.order()));
    if (refusal.isPresent()) {
      return ClaimFindings.misconfigured(Reason.PLUGIN_REFUSED, refusal.get());
    }
    return switch (PastAttempts.last(clusterView, claim, Reason.PLUGIN_FAILED.event())) {
      case ReadResult.Absent<PastEvent> _ -> ClaimFindings.provision(storageClass, plugin);
      case ReadResult.Found<PastEvent>(PastEvent last) -> explainReported(plugin, last.note());
      case ReadResult.Failed<PastEvent> _ ->
          ClaimFindings.mayProvision(storageClass, plugin, PastAttempts.UNREAD);
    };
  }

  /**
   * A refusal is final: the plugin is called again when the claim, the class or the plugin changes.
   * The provisioner repeats an infeasible request, but only a change makes it feasible.
   */
  private BinderFinding explainReported(String plugin, String note) {
    String message = CodedNote.withoutCode(note);
    boolean refused = CodedNote.of(note).filter(why -> why == Reason.PLUGIN_REFUSED).isPresent();
    return refused || message.startsWith(INFEASIBLE)
        ? ClaimFindings.misconfigured(Reason.PLUGIN_REFUSED, message)
        : ClaimFindings.provisionAgain(plugin, message, policy);
  }

  private Claim completeClaim(Claim claim) throws InterruptedException {
    return clusterView.reader().read(Kind.CLAIM, claim.key())
                instanceof ReadResult.Found<Claim>(Claim live)
            && live.meta().uid().equals(claim.meta().uid())
        ? claim.withMeta(claim.meta().withDescriptionOf(live.meta()))
        : claim;
  }
}
