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
  private static final Duration SOON = Duration.ofSeconds(1);

  // inputs of a refusal; the plugin is not called again until one of them changes
  private record ProvisioningInputs(
      Provisioner.Request request, String plugin, @Nullable Long generation) {}

  private final UnfinishedJobs unfinished;
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
    this.unfinished = state.unfinished();
    this.operations = state.provisions();
    this.stats = state.stats();
  }

  void start(ProvisionJob job, Optional<Claim> read) {
    Claim claim = job.claim();
    ProvisionJob earlier = unfinished.of(claim.key());
    if (earlier != null && !earlier.claim().meta().uid().equals(claim.meta().uid())) {
      finish(claim.key()); // the end of that job requeues this claim
    } else {
      String plugin = job.plugin();
      operations.start(
          claim.key(),
          new ProvisioningInputs(
              PluginStorage.request(job.order()), plugin, plugins.generations().get(plugin)),
          () -> provision(job, read));
    }
  }

  /**
   * Continues with a volume that may have been made for a claim that is gone. Once saved, the
   * volume is released and reclaimed like any other; otherwise it would be left behind in the
   * storage.
   */
  void finish(ObjectKey claim) {
    ProvisionJob earlier = unfinished.of(claim);
    if (earlier != null) {
      operations.start(
          claim,
          () -> {
            JobResult end = provision(earlier, Optional.empty());
            // another claim of that name may wait for the end
            return end instanceof JobResult.Done ? JobResult.NOTED : end;
          });
    }
  }

  private JobResult provision(ProvisionJob job, Optional<Claim> read) throws InterruptedException {
    stats.begins(TimedOperation.PROVISION, job.key(), job.plugin());
    JobResult end = attempt(job, read);
    if (end instanceof JobResult.Failed || end instanceof JobResult.Unanswered) {
      stats.failed(job.plugin(), TimedOperation.PROVISION);
    }
    return end;
  }

  private JobResult attempt(ProvisionJob job, Optional<Claim> read) throws InterruptedException {
    return switch (saver.findSaved(job)) {
      case SavedVerdict.NotThere() -> make(job, read);
      case SavedVerdict.Saved() -> {
        unfinished.note(job, false);
        yield JobResult.DONE; // the cache does not show it yet
      }
      case SavedVerdict.NameTaken taken -> {
        unfinished.note(job, false);
        reporter.nameTaken(job.claim(), taken);
        yield JobResult.unreachable("another volume has the name " + taken.by().meta().name());
      }
      case SavedVerdict.CannotTell(String why) ->
          new JobResult.Unanswered(why); // the object may exist: nothing may be made now
    };
  }

  private JobResult make(ProvisionJob job, Optional<Claim> read) throws InterruptedException {
    Claim claim = job.claim();
    Optional<PluginStorage.Maker> maker = job.storage(plugins).maker();
    if (maker.isEmpty()) {
      reporter.provisioningFailed(
          claim,
          Reason.PROVISIONER_UNKNOWN,
          MissingPlugin.named(job.plugin(), PluginRole.PROVISIONABLE));
      return JobResult.unreachable("plugin " + job.plugin() + " is not loaded");
    }
    Optional<JobResult> noNode =
        unfinished.contains(claim.key()) ? Optional.empty() : checkNode(claim);
    if (noNode.isPresent()) {
      return noNode.get();
    }
    Optional<Claim> whole = completeClaim(claim, read);
    return whole.isEmpty()
        ? new JobResult.Unanswered("claim " + claim.key() + " could not be looked up")
        : call(maker.get(), job.with(whole.get()));
  }

  private JobResult call(PluginStorage.Maker maker, ProvisionJob job) throws InterruptedException {
    Optional<String> refusal = maker.refuses(job.order());
    if (refusal.isPresent()) {
      reporter.provisioningFailed(job.claim(), Reason.PLUGIN_REFUSED, refusal.get());
      return new JobResult.Failed(new Failure.Rejected(refusal.get()));
    }
    long since = time.nanos();
    Attempt<PluginStorage.Made> attempt = maker.make(job.order());
    stats.called(
        job.plugin(),
        TimedOperation.PROVISION,
        attempt instanceof Attempt.Done<PluginStorage.Made>,
        since);
    return switch (attempt) {
      case Attempt.Done<PluginStorage.Made>(PluginStorage.Made made) -> save(job, made);
      case Attempt.Failed<PluginStorage.Made>(Failure why) -> {
        unfinished.note(job, why instanceof Failure.Uncertain);
        failed(job, why);
        yield new JobResult.Failed(why);
      }
    };
  }

  private JobResult save(ProvisionJob job, PluginStorage.Made made) throws InterruptedException {
    JobResult end = saver.save(job, made);
    unfinished.note(job, end instanceof JobResult.Unanswered);
    return end;
  }

  /**
   * Returns the claim with all labels and annotations, which plugins may read and caches do not
   * keep; empty if it cannot be read. A job for a claim that is gone uses the claim of its start.
   */
  private Optional<Claim> completeClaim(Claim claim, Optional<Claim> read)
      throws InterruptedException {
    ProvisionJob begun = unfinished.of(claim.key());
    if (begun != null) {
      return Optional.of(begun.claim());
    }
    ReadResult<Claim> whole =
        read.isPresent()
            ? FullClaimReader.of(claim, new ReadResult.Found<>(read.get()))
            : FullClaimReader.of(claim, reader);
    return whole instanceof ReadResult.Found<Claim>(Claim found)
        ? Optional.of(found)
        : Optional.empty();
  }

  private NodeVerdict isThere(Claim claim) throws InterruptedException {
    return LiveDecisions.decide(
        reader, LiveFacts.NONE, live -> ProvisionDecider.isThere(claim, live));
  }

  private Optional<JobResult> checkNode(Claim claim) throws InterruptedException {
    String node = claim.meta().annotation(BinderMarks.SELECTED_NODE);
    return switch (isThere(claim)) {
      case NodeVerdict.There() -> Optional.empty();
      case NodeVerdict.CannotTell(String message) ->
          Optional.of(new JobResult.Unanswered(notLookedUp(node, message)));
      case NodeVerdict.Impossible(String flaw) ->
          Optional.of(noNode(claim, "there can be no such node: " + flaw));
      case NodeVerdict.Gone() -> Optional.of(noNode(claim, "node \"" + node + "\" not found"));
    };
  }

  private static String notLookedUp(String node, String message) {
    return "node " + node + " could not be looked up: " + message;
  }

  private JobResult noNode(Claim claim, String why) {
    reporter.provisioningFailed(claim, Reason.NODE_MISSING, "Failed to get target node: " + why);
    return JobResult.unreachable("the selected node does not exist");
  }

  /**
   * Handles an unknown selected node. If the node is gone, its annotation is removed, because the
   * scheduler does not reconsider its choice. A job that may have begun for that node is completed
   * first.
   */
  Outcome reselect(Claim claim, String node) throws InterruptedException {
    if (unfinished.contains(claim.key())) {
      return Outcome.SETTLED;
    }
    return switch (isThere(claim)) {
      case NodeVerdict.There() -> new Outcome.CheckAgain(SOON); // the cache will show it soon
      case NodeVerdict.CannotTell(String message) ->
          new Outcome.Unanswered(notLookedUp(node, message));
      case NodeVerdict.Impossible(String flaw) ->
          chosenAnew(claim, "the node that was selected for the claim cannot exist: " + flaw);
      case NodeVerdict.Gone() ->
          chosenAnew(claim, "node \"" + node + "\", which was selected for the claim, is gone");
    };
  }

  private Outcome chosenAnew(Claim claim, String why) throws InterruptedException {
    reporter.waiting(claim, Reason.NODE_GONE, why, () -> "");
    return WriteOutcomes.outcome(
        "removing the selected node of claim " + claim.key(), withoutNode(claim));
  }

  private WriteResult<Claim> withoutNode(Claim claim) throws InterruptedException {
    return writer.patch(
        Kind.CLAIM,
        claim.key(),
        Document.patchOf(claim.meta())
            .set(null, "metadata", "annotations", BinderMarks.SELECTED_NODE));
  }

  private void failed(ProvisionJob job, Failure why) throws InterruptedException {
    Claim claim = job.claim();
    if (claim.meta().hasAnnotation(BinderMarks.SELECTED_NODE)
        && !(why instanceof Failure.Uncertain)) {
      // the scheduler may have a better node. If the volume may have been made, the annotation
      // stays, so that the next attempt finds the same volume
      withoutNode(claim);
    }
    reporter.provisioningFailed(
        claim,
        why instanceof Failure.Rejected ? Reason.PLUGIN_REFUSED : Reason.PLUGIN_FAILED,
        "Failed to provision volume with StorageClass \""
            + job.order().storageClass().meta().name()
            + "\": "
            + why.message());
  }
}
