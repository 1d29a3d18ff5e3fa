package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Marks;
import dev.mooring.binder.decide.NoPlugin;
import dev.mooring.binder.decide.NoPlugin.Role;
import dev.mooring.binder.decide.NodeVerdict;
import dev.mooring.binder.decide.ProvisionDecider;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.SavedVerdict;
import dev.mooring.binder.execute.BinderStats.Whole;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.NodeTerms;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.Completion;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.operation.Plugins;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Makes volumes through plugins: one slow job per claim. Thread-safe. */
public final class Provisioning {
  private static final int SAVE_ATTEMPTS = 5;
  private static final Duration BETWEEN_SAVES = Duration.ofSeconds(10);
  private static final Duration SOON = Duration.ofSeconds(1);

  /** A volume that may or may not have been made. */
  private record Unfinished(Claim claim, StorageClass storageClass, String plugin) {}

  /** What a plugin that refuses has refused. */
  private record Basis(Provisioner.Request request, String plugin, @Nullable Long edition) {}

  private final Map<ObjectKey, Unfinished> unfinished = new ConcurrentHashMap<>();
  private final ClusterWriter writer;
  private final LiveReader reader;
  private final Plugins plugins;
  private final BinderReporter reporter;
  private final Time time;
  private final KeyedOperations<ObjectKey> operations;
  private final BinderStats stats;

  /** Runs its jobs in these operations. */
  public Provisioning(
      ClusterWriter writer,
      LiveReader reader,
      Plugins plugins,
      BinderReporter reporter,
      Time time,
      KeyedOperations<ObjectKey> operations,
      BinderStats stats) {
    this.stats = stats;
    this.writer = writer;
    this.reader = reader;
    this.plugins = plugins;
    this.reporter = reporter;
    this.time = time;
    this.operations = operations;
  }

  void start(Claim claim, StorageClass storageClass, String plugin) {
    Unfinished earlier = unfinished.get(claim.key());
    if (earlier != null && !earlier.claim().meta().uid().equals(claim.meta().uid())) {
      finish(claim.key()); // its end brings this claim back
    } else {
      operations.start(
          claim.key(),
          new Basis(request(claim, storageClass), plugin, plugins.generations().get(plugin)),
          () -> provision(claim, storageClass, plugin));
    }
  }

  /**
   * Goes on with a volume that may have been made for a claim that is gone: once it is saved it is
   * released, and reclaimed like any other. Otherwise it would be left behind in the storage.
   */
  void finish(ObjectKey claim) {
    Unfinished earlier = unfinished.get(claim);
    if (earlier != null) {
      operations.start(
          claim,
          () -> {
            Completion end = provision(earlier.claim(), earlier.storageClass(), earlier.plugin());
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

  private void noteUnfinished(
      Claim claim, StorageClass storageClass, String plugin, boolean isUnfinished) {
    if (isUnfinished) {
      unfinished.put(claim.key(), new Unfinished(claim, storageClass, plugin));
    } else {
      unfinished.remove(claim.key());
    }
  }

  /** Timed from its first beginning, and counted once for each end that is none. */
  private Completion provision(Claim claim, StorageClass storageClass, String pluginName)
      throws InterruptedException {
    stats.begins(Whole.PROVISION, claim.key(), pluginName);
    Completion end = attempt(claim, storageClass, pluginName);
    if (end instanceof Completion.Failed) {
      stats.failed(pluginName, Whole.PROVISION);
    }
    return end;
  }

  private Completion attempt(Claim claim, StorageClass storageClass, String pluginName)
      throws InterruptedException {
    switch (isSaved(claim)) {
      case SavedVerdict.NotThere() -> {}
      case SavedVerdict.Saved() -> {
        noteUnfinished(claim, storageClass, pluginName, false);
        return Completion.DONE; // the cache has yet to show it
      }
      case SavedVerdict.NameTaken(Volume by) -> {
        noteUnfinished(claim, storageClass, pluginName, false);
        reporter.nameTaken(claim, by);
        return Completion.unreachable("another volume has the name " + by.meta().name());
      }
      case SavedVerdict.CannotTell(String why) -> {
        return Completion.unreachable(why); // it may be there: nothing may be made now
      }
      case SavedVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    }
    Optional<Provisioner> provisioner =
        plugins.named(pluginName).flatMap(VolumePlugin::provisioner);
    if (provisioner.isEmpty()) {
      reporter.provisioningFailed(
          claim, Reason.PROVISIONER_UNKNOWN, NoPlugin.named(pluginName, Role.PROVISIONABLE));
      return Completion.unreachable("plugin " + pluginName + " is not there");
    }
    Optional<String> noNode =
        unfinished.containsKey(claim.key()) ? Optional.empty() : lacksItsNode(claim);
    if (noNode.isPresent()) {
      return Completion.unreachable(noNode.get());
    }
    Optional<Claim> whole = whole(claim);
    if (whole.isEmpty()) {
      return Completion.unreachable("claim " + claim.key() + " could not be looked up");
    }
    Provisioner.Request request = request(whole.get(), storageClass);
    Optional<String> refusal = provisioner.get().refuses(request);
    if (refusal.isPresent()) {
      reporter.provisioningFailed(claim, Reason.PLUGIN_REFUSED, refusal.get());
      return new Completion.Failed(new Failure.Rejected(refusal.get()));
    }
    long since = time.nanos();
    Attempt<Provisioner.Provisioned> attempt = provisioner.get().provision(request);
    stats.called(
        pluginName,
        Whole.PROVISION,
        attempt instanceof Attempt.Done<Provisioner.Provisioned>,
        since);
    return switch (attempt) {
      case Attempt.Done<Provisioner.Provisioned>(Provisioner.Provisioned made) ->
          save(whole.get(), storageClass, pluginName, made);
      case Attempt.Failed<Provisioner.Provisioned>(Failure why) -> {
        noteUnfinished(whole.get(), storageClass, pluginName, why instanceof Failure.Uncertain);
        failed(claim, storageClass, why);
        yield new Completion.Failed(why);
      }
    };
  }

  /**
   * The claim with all its labels and annotations, which plugins may read and caches do not keep;
   * empty if they cannot be found out. What was begun for a claim that is gone is finished with
   * what was known when it was begun.
   */
  private Optional<Claim> whole(Claim claim) throws InterruptedException {
    Unfinished begun = unfinished.get(claim.key());
    if (begun != null) {
      return Optional.of(begun.claim());
    }
    return reader.read(Kind.CLAIM, claim.key()) instanceof ReadResult.Found<Claim>(Claim live)
            && live.meta().uid().equals(claim.meta().uid())
        ? Optional.of(claim.with(claim.meta().described(live.meta())))
        : Optional.empty();
  }

  private SavedVerdict isSaved(Claim claim) throws InterruptedException {
    return LiveDecisions.decide(
        reader, LiveFacts.NONE, live -> ProvisionDecider.isSaved(claim, live));
  }

  private NodeVerdict isThere(String node) throws InterruptedException {
    return LiveDecisions.decide(
        reader, LiveFacts.NONE, live -> ProvisionDecider.isThere(node, live));
  }

  /** Why nothing is made as yet, because the node that was chosen for the claim is not there. */
  private Optional<String> lacksItsNode(Claim claim) throws InterruptedException {
    String node = claim.meta().annotation(Marks.SELECTED_NODE);
    String lacking = "the node that was chosen is not there";
    return switch (isThere(node)) {
      case NodeVerdict.There() -> Optional.empty();
      case NodeVerdict.CannotTell _ -> Optional.of(lacking);
      case NodeVerdict.Impossible(String flaw) -> {
        noNode(claim, "there can be no such node: " + flaw);
        yield Optional.of(lacking);
      }
      case NodeVerdict.Gone() -> {
        noNode(claim, "node \"" + node + "\" not found");
        yield Optional.of(lacking);
      }
      case NodeVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }

  private void noNode(Claim claim, String why) {
    reporter.provisioningFailed(claim, Reason.NODE_MISSING, "Failed to get target node: " + why);
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
    return switch (isThere(node)) {
      case NodeVerdict.There() -> new Outcome.CheckAgain(SOON); // known soon
      case NodeVerdict.CannotTell(String message) ->
          new Outcome.Retry(
              new Failure.Unreachable("node " + node + " could not be looked up: " + message));
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

  private static Provisioner.Request request(Claim claim, StorageClass storageClass) {
    String name = ProvisionDecider.volumeOf(claim).name();
    String node = claim.meta().annotation(Marks.SELECTED_NODE);
    return new Provisioner.Request(
        name,
        new Provisioner.ClaimInfo(
            claim.key(), claim.meta().uid(), claim.meta().labels(), claim.meta().annotations()),
        claim.request(),
        claim.accessModes(),
        claim.volumeMode(),
        storageClass.meta().name(),
        storageClass.parameters(),
        storageClass.mountOptions(),
        node.isEmpty() ? null : node,
        storageClass.meta().annotations());
  }

  private void failed(Claim claim, StorageClass storageClass, Failure why)
      throws InterruptedException {
    if (claim.meta().has(Marks.SELECTED_NODE) && !(why instanceof Failure.Uncertain)) {
      // the scheduler may have a better node; where it may have happened, the node stays so that
      // the same volume is found again
      withoutNode(claim);
    }
    reporter.provisioningFailed(
        claim,
        Reason.PLUGIN_FAILED,
        "Failed to provision volume with StorageClass \""
            + storageClass.meta().name()
            + "\": "
            + why.message());
  }

  private Completion save(
      Claim claim, StorageClass storageClass, String plugin, Provisioner.Provisioned made)
      throws InterruptedException {
    String name = ProvisionDecider.volumeOf(claim).name();
    String problem = "";
    for (int attempt = 1; attempt <= SAVE_ATTEMPTS; attempt++) {
      WriteResult<Volume> result =
          writer.create(
              Kind.VOLUME, ObjectKey.cluster(name), document(claim, storageClass, plugin, made));
      switch (result) {
        case WriteResult.Written<Volume> _ -> {
          return saved(claim, storageClass, plugin, name);
        }
        case WriteResult.Conflict<Volume>(String message) -> {
          // it is there, from an earlier attempt; unless the server says so of what is not
          if (!isUnsaved(claim)) {
            return saved(claim, storageClass, plugin, name);
          }
          problem = message;
        }
        case WriteResult.Gone<Volume> _ -> problem = "the server does not have PersistentVolumes";
        case WriteResult.Rejected<Volume>(int _, String message) -> problem = message;
        case WriteResult.Unreachable<Volume>(String message) -> problem = message;
      }
      time.sleep(BETWEEN_SAVES);
    }
    String note =
        "Error creating provisioned PV object for claim " + claim.key() + ": " + problem + ".";
    if (!isUnsaved(claim)) {
      noteUnfinished(claim, storageClass, plugin, true);
      reporter.provisioningFailed(
          claim,
          Reason.VOLUME_NOT_SAVED,
          note + " It may have been saved: the volume is kept and tried again.");
      return new Completion.Failed(new Failure.Uncertain(problem));
    }
    reporter.provisioningFailed(claim, Reason.VOLUME_NOT_SAVED, note + " Deleting the volume.");
    cleanUp(claim, plugin, Deleter.Request.of(request(claim, storageClass), made));
    noteUnfinished(claim, storageClass, plugin, false);
    return Completion.unreachable(problem);
  }

  private Completion saved(Claim claim, StorageClass storageClass, String plugin, String name) {
    noteUnfinished(claim, storageClass, plugin, false);
    reporter.provisioned(claim, name, plugin);
    return Completion.DONE;
  }

  /** Whether the server says that there is no such volume: only then is it nobody's. */
  private boolean isUnsaved(Claim claim) throws InterruptedException {
    return isSaved(claim) instanceof SavedVerdict.NotThere;
  }

  private void cleanUp(Claim claim, String plugin, Deleter.Request request)
      throws InterruptedException {
    String problem = "";
    for (int attempt = 1; attempt <= SAVE_ATTEMPTS; attempt++) {
      problem = takeBack(plugin, request);
      if (problem.isEmpty()) {
        return;
      }
      time.sleep(BETWEEN_SAVES);
      if (!isUnsaved(claim)) {
        problem = "whether it is saved by now is unknown";
        break;
      }
    }
    reporter.cleanupFailed(
        claim,
        "Error cleaning provisioned volume for claim "
            + claim.key()
            + ": "
            + problem
            + ". Please delete manually.");
  }

  /** Destroys what was made; what went wrong. */
  private String takeBack(String plugin, Deleter.Request request) {
    return plugins
        .named(plugin)
        .flatMap(VolumePlugin::deleter)
        .map(deleter ->
            deleter.delete(request) instanceof Attempt.Failed<Deleter.Gone>(Failure why)
                ? why.message()
                : "")
        .orElse(Role.DELETABLE.missing());
  }

  private static Document document(
      Claim claim, StorageClass storageClass, String plugin, Provisioner.Provisioned made) {
    AccessModes modes =
        made.accessModes().written().isEmpty()
            ? AccessModes.of("ReadWriteOnce")
            : made.accessModes();
    Document object =
        Document.empty()
            .set("yes", "metadata", "annotations", Marks.BOUND_BY_CONTROLLER)
            .set(plugin, "metadata", "annotations", Marks.PROVISIONED_BY)
            .set(made.capacity().toString(), "spec", "capacity", "storage")
            .set(modes.written(), "spec", "accessModes")
            .set(claim.volumeMode().toString(), "spec", "volumeMode")
            .set(storageClass.meta().name(), "spec", "storageClassName")
            .set(storageClass.reclaimPolicy().toString(), "spec", "persistentVolumeReclaimPolicy");
    ClaimRefs.pointAt(claim, object);
    made.annotations().forEach((key, value) -> object.set(value, "metadata", "annotations", key));
    if (storageClass.reclaimPolicy() == ReclaimPolicy.DELETE) {
      object.set(List.of(Marks.IN_TREE_FINALIZER), "metadata", "finalizers");
    }
    source(object, made.source());
    NodeTerms.set(object, made.topology());
    return object;
  }

  private static void source(Document object, VolumeSource source) {
    Map<String, Object> attributes = new HashMap<>(source.attributes());
    object.set(attributes, "spec", source.type());
  }
}
