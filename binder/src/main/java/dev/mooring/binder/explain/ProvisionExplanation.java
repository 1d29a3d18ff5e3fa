package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.ClaimView;
import dev.mooring.binder.decide.CodedMessage;
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
import dev.mooring.model.Node;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.spi.Attempt;
import dev.mooring.storage.PluginStorage;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.SelectedNodeReader;
import dev.mooring.storage.decide.SavedDecider;
import dev.mooring.storage.decide.SavedVerdict;
import java.util.Optional;
import java.util.stream.Collectors;

final class ProvisionExplanation {
  // how external-provisioner and Mooring's provisioner begin the event of an infeasible request
  private static final String INFEASIBLE = "Volume provisioning failed with infeasible error";

  private final ClusterView clusterView;
  private final BinderPolicy policy;
  private final SnapshotReader snapshotReader;

  ProvisionExplanation(ClusterView clusterView, BinderPolicy policy) {
    this.clusterView = clusterView;
    this.policy = policy;
    this.snapshotReader = new SnapshotReader(clusterView);
  }

  BinderFinding of(ClaimView view, StorageClass storageClass, String plugin, Detail detail)
      throws InterruptedException {
    Claim claim = view.claim();
    SavedVerdict saved =
        LiveDecisions.decide(
            snapshotReader,
            LiveFacts.NONE,
            facts -> SavedDecider.decide(ProvisionDecider.volumeKey(claim), claim, facts));
    return switch (saved) {
      case SavedVerdict.Saved() -> explainMade(view); // the binding marks the claim
      case SavedVerdict.NameTaken(Volume volume) ->
          explainUnmarked(claim, plugin, explainTakenName(volume));
      case SavedVerdict.Unknown(String message) ->
          explainUnmarked(claim, plugin, ClaimFindings.unknown(message));
      case SavedVerdict.NotThere() -> {
        Optional<BinderFinding> nodeFinding = explainMissingNode(claim);
        yield explainUnmarked(
            claim,
            plugin,
            nodeFinding.isPresent()
                ? nodeFinding.get()
                : explainAttempt(claim, storageClass, plugin, detail));
      }
    };
  }

  private static BinderFinding explainUnmarked(Claim claim, String plugin, BinderFinding finding) {
    return claim.meta().annotation(BinderMarks.STORAGE_PROVISIONER).equals(plugin)
        ? finding
        : ClaimFindings.withProvisionerStep(finding, plugin);
  }

  private BinderFinding explainMade(ClaimView view) {
    Volume volume =
        clusterView
            .informer(Kind.VOLUME)
            .get(ProvisionDecider.volumeKey(view.claim()))
            .orElseThrow();
    String failedTests =
        new VolumeTester(view, policy)
            .report(volume).results().stream()
                .filter(outcome -> !outcome.passed())
                .map(MatchReport.TestResult::message)
                .collect(Collectors.joining(", "));
    return ClaimFindings.explainProvisionedVolume(volume.meta().name(), failedTests);
  }

  private static BinderFinding explainTakenName(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ClaimFindings.misconfigured(
        Reason.VOLUME_NAME_TAKEN,
        "volume "
            + volume.meta().name()
            + " exists, and "
            + (ref == null ? "has no claim" : "belongs to claim " + ref.claim()));
  }

  private Optional<BinderFinding> explainMissingNode(Claim claim) throws InterruptedException {
    NodeVerdict verdict =
        LiveDecisions.decide(
            snapshotReader, LiveFacts.NONE, facts -> ProvisionDecider.decideNode(claim, facts));
    String node = claim.meta().annotation(BinderMarks.SELECTED_NODE);
    return switch (verdict) {
      case NodeVerdict.Exists _ -> Optional.empty();
      case NodeVerdict.Gone() ->
          Optional.of(ClaimFindings.withoutNode("node does not exist: " + node, "restore it, or "));
      case NodeVerdict.Impossible(String flaw) ->
          Optional.of(ClaimFindings.withoutNode("the selected node cannot exist: " + flaw, ""));
      case NodeVerdict.Unknown(String message) ->
          Optional.of(ClaimFindings.unknown("node " + node + " could not be read: " + message));
    };
  }

  // asks the plugin for a dry run only in an explanation of one claim, not of thousands
  private BinderFinding explainAttempt(
      Claim claim, StorageClass storageClass, String plugin, Detail detail)
      throws InterruptedException {
    if (detail == Detail.SUMMARY) {
      return ClaimFindings.explainPossibleProvisioning(storageClass, plugin, "");
    }
    ProvisionJob job = completeJob(claim, storageClass, plugin);
    Optional<String> ignoreReason = findIgnoreReason(job);
    if (ignoreReason.isPresent()) {
      return ClaimFindings.explainIgnored(plugin, ignoreReason.get());
    }
    Optional<String> refusal = findCreator(job).flatMap(creator -> creator.refuses(job.order()));
    if (refusal.isPresent()) {
      return ClaimFindings.misconfigured(Reason.PLUGIN_REFUSED, refusal.get());
    }
    return switch (PastAttempts.findLast(clusterView, claim, Reason.PLUGIN_FAILED.event())) {
      case ReadResult.Absent<PastEvent> _ ->
          ClaimFindings.explainProvisioning(storageClass, plugin);
      case ReadResult.Found<PastEvent>(PastEvent lastEvent) ->
          explainReported(plugin, lastEvent.note());
      case ReadResult.Failed<PastEvent> _ ->
          ClaimFindings.explainPossibleProvisioning(storageClass, plugin, PastAttempts.UNREAD);
    };
  }

  /**
   * A refusal is final: the plugin is called again when the claim, the class or the plugin changes.
   * The provisioner repeats an infeasible request, but only a change makes it feasible.
   */
  private BinderFinding explainReported(String plugin, String codedMessage) {
    String message = CodedMessage.removeCode(codedMessage);
    if (message.endsWith(ProvisionConfig.GIVEN_UP)) {
      return ClaimFindings.explainGivenUp(plugin, message);
    }
    boolean isRefused =
        CodedMessage.parseReason(codedMessage)
            .filter(reason -> reason == Reason.PLUGIN_REFUSED)
            .isPresent();
    return isRefused || message.startsWith(INFEASIBLE)
        ? ClaimFindings.misconfigured(Reason.PLUGIN_REFUSED, message)
        : ClaimFindings.explainRetry(plugin, message, policy);
  }

  // empty also if the plugin does not answer
  private Optional<String> findIgnoreReason(ProvisionJob job) {
    return findCreator(job)
        .map(creator -> creator.ignores(job.order()))
        .flatMap(attempt ->
            attempt instanceof Attempt.Done<Optional<String>>(Optional<String> reason)
                ? reason
                : Optional.empty());
  }

  private Optional<PluginStorage.VolumeCreator> findCreator(ProvisionJob job) {
    return job.storage(clusterView.plugins()).volumeCreator();
  }

  private ProvisionJob completeJob(Claim claim, StorageClass storageClass, String plugin)
      throws InterruptedException {
    ProvisionJob job = new ProvisionJob(completeClaim(claim), storageClass, plugin);
    String node = job.order().selectedNode();
    return node != null
            && findCreator(job).filter(PluginStorage.VolumeCreator::needsNode).isPresent()
            && SelectedNodeReader.read(node, clusterView.reader())
                instanceof ReadResult.Found<Node>(Node selectedNode)
        ? job.withNode(selectedNode)
        : job;
  }

  private Claim completeClaim(Claim claim) throws InterruptedException {
    return clusterView.reader().read(Kind.CLAIM, claim.key())
                instanceof ReadResult.Found<Claim>(Claim live)
            && live.meta().uid().equals(claim.meta().uid())
        ? claim.withMeta(claim.meta().withDescriptionOf(live.meta()))
        : claim;
  }
}
