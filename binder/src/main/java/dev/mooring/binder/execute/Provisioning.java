package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Marks;
import dev.mooring.binder.decide.NoPlugin;
import dev.mooring.binder.decide.NoPlugin.Role;
import dev.mooring.binder.decide.NodeVerdict;
import dev.mooring.binder.decide.ProvisionDecider;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.execute.BinderStats.Whole;
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
import dev.mooring.operation.Completion;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.storage.PluginStorage;
import dev.mooring.storage.Plugins;
import dev.mooring.storage.WholeClaim;
import dev.mooring.storage.decide.SavedVerdict;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Makes volumes through plugins: one slow job per claim. Thread-safe. */
public final class Provisioning {
  private static final Duration SOON = Duration.ofSeconds(1);

  /** What a plugin that refuses has refused. */
  private record Basis(Provisioner.Request request, String plugin, @Nullable Long generation) {}

  // volumes that may or may not have been made
  private final Map<ObjectKey, ProvisionJob> unfinished = new ConcurrentHashMap<>();
  private final ClusterWriter writer;
  private final LiveReader reader;
  private final Plugins plugins;
  private final BinderReporter reporter;
  private final Time time;
  private final KeyedOperations<ObjectKey> operations;
  private final BinderStats stats;
  private final JobSaver saver;

  /** Runs its jobs in these operations. */
  public Provisioning(
      ClusterPorts ports,
      Plugins plugins,
      JobSaver saver,
      KeyedOperations<ObjectKey> operations,
      BinderStats stats) {
    this.writer = ports.writer();
    this.reader = ports.reader();
    this.time = ports.time();
    this.plugins = plugins;
    this.reporter = saver.reporter();
    this.operations = operations;
    this.stats = stats;
    this.saver = saver;
  }

  /**
   * Begins it, unless it is under way.
   *
   * @param read the whole claim, if the server has just said what it is
   */
  void start(ProvisionJob job, Optional<Claim> read) {
    Claim claim = job.claim();
    ProvisionJob earlier = unfinished.get(claim.key());
    if (earlier != null && !earlier.claim().meta().uid().equals(claim.meta().uid())) {
      finish(claim.key()); // its end brings this claim back
    } else {
      String plugin = job.plugin();
      operations.start(
          claim.key(),
          new Basis(PluginStorage.request(job.order()), plugin, plugins.generations().get(plugin)),
          () -> provision(job, read));
    }
  }

  /**
   * Goes on with a volume that may have been made for a claim that is gone: once it is saved it is
   * released, and reclaimed like any other. Otherwise it would be left behind in the storage.
   */
  void finish(ObjectKey claim) {
    ProvisionJob earlier = unfinished.get(claim);
    if (earlier != null) {
      operations.start(
          claim,
          () -> {
            Completion end = provision(earlier, Optional.empty());
            // another claim of that name may wait for it
            return end instanceof Completion.Done ? Completion.NOTED : end;
          });
    }
  }

  void forget(ObjectKey claim) {
    if (!unfinished.containsKey(claim)) {
      operations.forget(claim);
    }
  }

  private void noteUnfinished(ProvisionJob job, boolean isUnfinished) {
    if (isUnfinished) {
      unfinished.put(job.key(), job);
    } else {
      unfinished.remove(job.key());
    }
  }

  /** Timed from its first beginning, and counted once for each end that is none. */
  private Completion provision(ProvisionJob job, Optional<Claim> read) throws InterruptedException {
    stats.begins(Whole.PROVISION, job.key(), job.plugin());
    Completion end = attempt(job, read);
    if (end instanceof Completion.Failed || end instanceof Completion.Unanswered) {
      stats.failed(job.plugin(), Whole.PROVISION);
    }
    return end;
  }

  /** Makes it, unless an earlier attempt has. */
  private Completion attempt(ProvisionJob job, Optional<Claim> read) throws InterruptedException {
    return switch (saver.isSaved(job)) {
      case SavedVerdict.NotThere() -> make(job, read);
      case SavedVerdict.Saved() -> {
        noteUnfinished(job, false);
        yield Completion.DONE; // the cache has yet to show it
      }
      case SavedVerdict.NameTaken taken -> {
        noteUnfinished(job, false);
        reporter.nameTaken(job.claim(), taken);
        yield Completion.unreachable("another volume has the name " + taken.by().meta().name());
      }
      case SavedVerdict.CannotTell(String why) ->
          new Completion.Unanswered(why); // it may be there: nothing may be made now
      case SavedVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  /** Makes it, if the plugin, the claim's node and the whole claim are there. */
  private Completion make(ProvisionJob job, Optional<Claim> read) throws InterruptedException {
    Claim claim = job.claim();
    Optional<PluginStorage.Maker> maker = storage(plugins, job.plugin()).maker();
    if (maker.isEmpty()) {
      reporter.provisioningFailed(
          claim, Reason.PROVISIONER_UNKNOWN, NoPlugin.named(job.plugin(), Role.PROVISIONABLE));
      return Completion.unreachable("plugin " + job.plugin() + " is not there");
    }
    Optional<Completion> noNode =
        unfinished.containsKey(claim.key()) ? Optional.empty() : lacksItsNode(claim);
    if (noNode.isPresent()) {
      return noNode.get();
    }
    Optional<Claim> whole = whole(claim, read);
    return whole.isEmpty()
        ? new Completion.Unanswered("claim " + claim.key() + " could not be looked up")
        : call(maker.get(), job.with(whole.get()));
  }

  /** The storage behind the plugin of that name. */
  static PluginStorage storage(Plugins plugins, String plugin) {
    return new PluginStorage(() -> plugins.named(plugin), Role.DELETABLE.missing());
  }

  private Completion call(PluginStorage.Maker maker, ProvisionJob job) throws InterruptedException {
    Optional<String> refusal = maker.refuses(job.order());
    if (refusal.isPresent()) {
      reporter.provisioningFailed(job.claim(), Reason.PLUGIN_REFUSED, refusal.get());
      return new Completion.Failed(new Failure.Rejected(refusal.get()));
    }
    long since = time.nanos();
    Attempt<PluginStorage.Made> attempt = maker.make(job.order());
    stats.called(
        job.plugin(), Whole.PROVISION, attempt instanceof Attempt.Done<PluginStorage.Made>, since);
    return switch (attempt) {
      case Attempt.Done<PluginStorage.Made>(PluginStorage.Made made) -> save(job, made);
      case Attempt.Failed<PluginStorage.Made>(Failure why) -> {
        noteUnfinished(job, why instanceof Failure.Uncertain);
        failed(job, why);
        yield new Completion.Failed(why);
      }
    };
  }

  private Completion save(ProvisionJob job, PluginStorage.Made made) throws InterruptedException {
    Completion end = saver.save(job, made);
    noteUnfinished(job, end instanceof Completion.Unanswered);
    return end;
  }

  /**
   * The claim with all its labels and annotations, which plugins may read and caches do not keep;
   * empty if they cannot be found out. What was begun for a claim that is gone is finished with
   * what was known when it was begun.
   */
  private Optional<Claim> whole(Claim claim, Optional<Claim> read) throws InterruptedException {
    ProvisionJob begun = unfinished.get(claim.key());
    if (begun != null) {
      return Optional.of(begun.claim());
    }
    ReadResult<Claim> whole =
        read.isPresent()
            ? WholeClaim.of(claim, new ReadResult.Found<>(read.get()))
            : WholeClaim.of(claim, reader);
    return whole instanceof ReadResult.Found<Claim>(Claim found)
        ? Optional.of(found)
        : Optional.empty();
  }

  private NodeVerdict isThere(Claim claim) throws InterruptedException {
    return LiveDecisions.decide(
        reader, LiveFacts.NONE, live -> ProvisionDecider.isThere(claim, live));
  }

  /** Why nothing is made as yet, because the node that was chosen for the claim is not there. */
  private Optional<Completion> lacksItsNode(Claim claim) throws InterruptedException {
    String node = claim.meta().annotation(Marks.SELECTED_NODE);
    return switch (isThere(claim)) {
      case NodeVerdict.There() -> Optional.empty();
      case NodeVerdict.CannotTell(String message) ->
          Optional.of(new Completion.Unanswered(notLookedUp(node, message)));
      case NodeVerdict.Impossible(String flaw) ->
          Optional.of(noNode(claim, "there can be no such node: " + flaw));
      case NodeVerdict.Gone() -> Optional.of(noNode(claim, "node \"" + node + "\" not found"));
      case NodeVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  private static String notLookedUp(String node, String message) {
    return "node " + node + " could not be looked up: " + message;
  }

  private Completion noNode(Claim claim, String why) {
    reporter.provisioningFailed(claim, Reason.NODE_MISSING, "Failed to get target node: " + why);
    return Completion.unreachable("the node that was chosen is not there");
  }

  /**
   * The node that was chosen for the claim is not known. If it is gone, it is forgotten: the
   * scheduler by itself never thinks better of a choice. What may have been begun for that node is
   * finished first.
   */
  Outcome reselect(Claim claim, String node) throws InterruptedException {
    if (unfinished.containsKey(claim.key())) {
      return Outcome.SETTLED;
    }
    return switch (isThere(claim)) {
      case NodeVerdict.There() -> new Outcome.CheckAgain(SOON); // known soon
      case NodeVerdict.CannotTell(String message) ->
          new Outcome.Unanswered(notLookedUp(node, message));
      case NodeVerdict.Impossible(String flaw) ->
          chosenAnew(claim, "what was chosen for the claim is no node: " + flaw);
      case NodeVerdict.Gone() ->
          chosenAnew(claim, "node \"" + node + "\", which was chosen for the claim, is gone");
      case NodeVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  private Outcome chosenAnew(Claim claim, String why) throws InterruptedException {
    reporter.waiting(claim, Reason.NODE_GONE, why, () -> "");
    return Results.outcome("taking its node off claim " + claim.key(), withoutNode(claim));
  }

  private WriteResult<Claim> withoutNode(Claim claim) throws InterruptedException {
    return writer.patch(
        Kind.CLAIM,
        claim.key(),
        Document.patchOf(claim.meta()).set(null, "metadata", "annotations", Marks.SELECTED_NODE));
  }

  private void failed(ProvisionJob job, Failure why) throws InterruptedException {
    Claim claim = job.claim();
    if (claim.meta().has(Marks.SELECTED_NODE) && !(why instanceof Failure.Uncertain)) {
      // the scheduler may have a better node; where it may have happened, the node stays so that
      // the same volume is found again
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
