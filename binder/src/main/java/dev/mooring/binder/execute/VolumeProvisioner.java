package dev.mooring.binder.execute;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.MissingPlugin;
import dev.mooring.binder.decide.MissingPlugin.PluginRole;
import dev.mooring.binder.decide.NodeVerdict;
import dev.mooring.binder.decide.ProvisionDecider;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.BinderStats;
import dev.mooring.binder.state.BinderStats.TimedOperation;
import dev.mooring.binder.state.ProvisionJob;
import dev.mooring.binder.state.UnfinishedJobs;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.operation.JobResult;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.storage.FullClaimReader;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.PluginStorage;
import dev.mooring.storage.decide.SavedVerdict;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Provisions volumes through plugins: one slow job per claim. Thread-safe. */
public final class VolumeProvisioner {
  private static final Duration CACHE_DELAY = Duration.ofSeconds(1);

  // inputs of a refusal; the plugin is not called again until one of them changes
  private record ProvisioningInputs(
      Provisioner.Request request, String plugin, @Nullable Long generation) {}

  private final UnfinishedJobs unfinishedJobs;
  private final ClusterWriter writer;
  private final LiveReader reader;
  private final LoadedPlugins plugins;
  private final BinderReporter reporter;
  private final Time time;
  private final KeyedOperations<ObjectKey> operations;
  private final BinderStats stats;
  private final JobSaver saver;

  public VolumeProvisioner(
      ClusterPorts ports,
      LoadedPlugins plugins,
      BinderReporter reporter,
      JobSaver saver,
      BinderState state) {
    this.writer = ports.writer();
    this.reader = ports.reader();
    this.time = ports.time();
    this.plugins = plugins;
    this.reporter = reporter;
    this.saver = saver;
    this.unfinishedJobs = state.unfinishedJobs();
    this.operations = state.provisions();
    this.stats = state.stats();
  }

  void start(ProvisionJob job, Optional<Claim> liveClaim) {
    Claim claim = job.claim();
    ProvisionJob earlierJob = unfinishedJobs.jobOf(claim.key());
    if (earlierJob != null && !earlierJob.claim().meta().uid().equals(claim.meta().uid())) {
      finish(claim.key()); // the end of that job requeues this claim
    } else {
      String plugin = job.plugin();
      operations.start(
          claim.key(),
          new ProvisioningInputs(
              PluginStorage.toRequest(job.withClaim(ProvisionerMark.remove(claim)).order()),
              plugin,
              plugins.generations().get(plugin)),
          () -> markAfter(job, provision(job, liveClaim)));
    }
  }

  /**
   * Annotates a claim that got no volume, so that users see its provisioner. Any version of the
   * claim may get the annotations.
   */
  private JobResult markAfter(ProvisionJob job, JobResult result) throws InterruptedException {
    if (result instanceof JobResult.Done || !ProvisionerMark.isMissing(job.claim())) {
      return result; // the binding annotates the claim
    }
    Document patch = Document.empty().set(job.claim().meta().uid().toString(), "metadata", "uid");
    WriteResult<Claim> marked =
        writer.patch(Kind.CLAIM, job.key(), ProvisionerMark.set(job.plugin(), patch));
    return switch (marked) {
      case WriteResult.Written<Claim> _, WriteResult.Gone<Claim> _ -> result;
      case WriteResult.Conflict<Claim> _,
          WriteResult.Rejected<Claim> _,
          WriteResult.Unreachable<Claim> _ ->
          JobResult.notWritten("marking claim " + job.key() + " for " + job.plugin(), marked);
    };
  }

  /**
   * Continues with a volume that may have been made for a claim that is gone. Once saved, the
   * volume is released and reclaimed like any other; otherwise it would be left behind in the
   * storage.
   */
  void finish(ObjectKey claim) {
    ProvisionJob earlierJob = unfinishedJobs.jobOf(claim);
    if (earlierJob != null) {
      operations.start(
          claim,
          () -> {
            JobResult result = provision(earlierJob, Optional.empty());
            // another claim of that name may wait for the end
            return result instanceof JobResult.Done ? JobResult.REQUEUE : result;
          });
    }
  }

  private JobResult provision(ProvisionJob job, Optional<Claim> liveClaim)
      throws InterruptedException {
    stats.recordStart(TimedOperation.PROVISION, job.key(), job.plugin());
    JobResult result = runAttempt(job, liveClaim);
    if (result instanceof JobResult.Failed || result instanceof JobResult.Unanswered) {
      stats.countFailure(job.plugin(), TimedOperation.PROVISION);
    }
    return result;
  }

  private JobResult runAttempt(ProvisionJob job, Optional<Claim> liveClaim)
      throws InterruptedException {
    return switch (saver.findSaved(job)) {
      case SavedVerdict.NotThere() -> callPlugin(job, liveClaim);
      case SavedVerdict.Saved() -> {
        unfinishedJobs.update(job, false);
        yield JobResult.DONE; // the cache does not show it yet
      }
      case SavedVerdict.NameTaken taken -> {
        unfinishedJobs.update(job, false);
        reporter.reportTakenName(job.claim(), taken);
        yield JobResult.unreachable("another volume has the name " + taken.holder().meta().name());
      }
      case SavedVerdict.Unknown(String message) ->
          new JobResult.Unanswered(message); // the object may exist: no volume may be created now
    };
  }

  private JobResult callPlugin(ProvisionJob job, Optional<Claim> liveClaim)
      throws InterruptedException {
    Claim claim = job.claim();
    Optional<PluginStorage.VolumeCreator> creator = job.storage(plugins).volumeCreator();
    if (creator.isEmpty()) {
      reporter.reportProvisioningFailure(
          claim,
          Reason.PROVISIONER_UNKNOWN,
          MissingPlugin.messageForName(job.plugin(), PluginRole.PROVISIONABLE));
      return JobResult.unreachable("plugin " + job.plugin() + " is not loaded");
    }
    ProvisionJob startedJob = unfinishedJobs.jobOf(claim.key());
    return startedJob == null
        ? callWithNode(creator.get(), job, liveClaim)
        : createVolume(
            creator.get(), job.withClaim(startedJob.claim()).withNode(startedJob.order().node()));
  }

  private JobResult callWithNode(
      PluginStorage.VolumeCreator creator, ProvisionJob job, Optional<Claim> liveClaim)
      throws InterruptedException {
    Claim claim = job.claim();
    String node = claim.meta().annotation(BinderMarks.SELECTED_NODE);
    return switch (decideNode(claim)) {
      case NodeVerdict.Exists(@Nullable Node selectedNode) -> {
        Optional<Claim> fullClaim =
            creator.needsFullClaims(job.order().storageClass())
                ? completeClaim(claim, liveClaim)
                : Optional.of(claim);
        yield fullClaim.isEmpty()
            ? new JobResult.Unanswered("claim " + claim.key() + " could not be read")
            : createIfServed(creator, job.withClaim(fullClaim.get()).withNode(selectedNode));
      }
      case NodeVerdict.Unknown(String message) ->
          new JobResult.Unanswered(describeUnknownNode(node, message));
      case NodeVerdict.Impossible(String flaw) ->
          reportMissingNode(claim, "there can be no such node: " + flaw);
      case NodeVerdict.Gone() -> reportMissingNode(claim, "node \"" + node + "\" not found");
    };
  }

  private JobResult createIfServed(PluginStorage.VolumeCreator creator, ProvisionJob job)
      throws InterruptedException {
    return switch (creator.ignores(job.order())) {
      case Attempt.Done<Optional<String>>(Optional<String> reason) ->
          reason.isPresent() ? JobResult.DONE : createVolume(creator, job);
      case Attempt.Failed<Optional<String>>(Failure failure) -> {
        reportFailure(job, failure);
        yield new JobResult.Failed(failure);
      }
    };
  }

  private JobResult createVolume(PluginStorage.VolumeCreator creator, ProvisionJob job)
      throws InterruptedException {
    Optional<String> refusal = creator.refuses(job.order());
    if (refusal.isPresent()) {
      reporter.reportProvisioningFailure(job.claim(), Reason.PLUGIN_REFUSED, refusal.get());
      return new JobResult.Failed(new Failure.Rejected(refusal.get()));
    }
    long startNanos = time.nanos();
    Attempt<PluginStorage.CreatedVolume> attempt = creator.provision(job.order());
    stats.recordCall(
        job.plugin(),
        TimedOperation.PROVISION,
        attempt instanceof Attempt.Done<PluginStorage.CreatedVolume>,
        startNanos);
    return switch (attempt) {
      case Attempt.Done<PluginStorage.CreatedVolume>(PluginStorage.CreatedVolume created) ->
          save(job, created);
      case Attempt.Failed<PluginStorage.CreatedVolume>(Failure failure) -> {
        unfinishedJobs.update(job, failure instanceof Failure.Uncertain);
        handleFailure(job, failure);
        yield new JobResult.Failed(failure);
      }
    };
  }

  private JobResult save(ProvisionJob job, PluginStorage.CreatedVolume created)
      throws InterruptedException {
    JobResult result = saver.save(job, created);
    unfinishedJobs.update(job, result instanceof JobResult.Unanswered);
    return result;
  }

  /**
   * Returns the claim with all labels and annotations, which plugins may read and caches do not
   * keep; empty if it cannot be read.
   */
  private Optional<Claim> completeClaim(Claim claim, Optional<Claim> liveClaim)
      throws InterruptedException {
    ReadResult<Claim> fullRead =
        liveClaim.isPresent()
            ? FullClaimReader.read(claim, new ReadResult.Found<>(liveClaim.get()))
            : FullClaimReader.read(claim, reader);
    return fullRead instanceof ReadResult.Found<Claim>(Claim fullClaim)
        ? Optional.of(fullClaim)
        : Optional.empty();
  }

  private NodeVerdict decideNode(Claim claim) throws InterruptedException {
    return LiveDecisions.decide(
        reader, LiveFacts.NONE, live -> ProvisionDecider.decideNode(claim, live));
  }

  private static String describeUnknownNode(String node, String message) {
    return "node " + node + " could not be read: " + message;
  }

  private JobResult reportMissingNode(Claim claim, String reason) {
    reporter.reportProvisioningFailure(
        claim, Reason.NODE_MISSING, "Failed to get target node: " + reason);
    return JobResult.unreachable("the selected node does not exist");
  }

  /**
   * Handles an unknown selected node. If the node is gone, its annotation is removed, because the
   * scheduler does not reconsider its choice. A job that may have begun for that node is completed
   * first.
   */
  Outcome reselect(Claim claim, String node) throws InterruptedException {
    if (unfinishedJobs.contains(claim.key())) {
      return Outcome.SETTLED;
    }
    return switch (decideNode(claim)) {
      case NodeVerdict.Exists _ ->
          new Outcome.CheckAgain(CACHE_DELAY); // the cache will show it soon
      case NodeVerdict.Unknown(String message) ->
          new Outcome.Unanswered(describeUnknownNode(node, message));
      case NodeVerdict.Impossible(String flaw) ->
          removeSelection(claim, "the node that was selected for the claim cannot exist: " + flaw);
      case NodeVerdict.Gone() ->
          removeSelection(
              claim, "node \"" + node + "\", which was selected for the claim, is gone");
    };
  }

  private Outcome removeSelection(Claim claim, String reason) throws InterruptedException {
    reporter.reportWaiting(claim, Reason.NODE_GONE, reason, () -> "");
    return WriteOutcomes.outcome(
        "removing the selected node of claim " + claim.key(), removeSelectedNode(claim));
  }

  private WriteResult<Claim> removeSelectedNode(Claim claim) throws InterruptedException {
    return writer.patch(
        Kind.CLAIM,
        claim.key(),
        Document.patchOf(claim.meta())
            .set(null, "metadata", "annotations", BinderMarks.SELECTED_NODE));
  }

  private void handleFailure(ProvisionJob job, Failure failure) throws InterruptedException {
    Claim claim = job.claim();
    if (claim.meta().hasAnnotation(BinderMarks.SELECTED_NODE)
        && !(failure instanceof Failure.Uncertain)) {
      // the scheduler may have a better node. If the volume may have been made, the annotation
      // stays, so that the next attempt finds the same volume
      removeSelectedNode(claim);
    }
    reportFailure(job, failure);
  }

  private void reportFailure(ProvisionJob job, Failure failure) {
    reporter.reportProvisioningFailure(
        job.claim(),
        failure instanceof Failure.Rejected ? Reason.PLUGIN_REFUSED : Reason.PLUGIN_FAILED,
        "Failed to provision volume with StorageClass \""
            + job.order().storageClass().meta().name()
            + "\": "
            + failure.message());
  }
}
