package dev.mooring.provisioner;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.operation.OperationStats;
import dev.mooring.provisioner.decide.ClaimNote;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.provisioner.decide.ClaimRules.Verdict;
import dev.mooring.provisioner.decide.NodeRules;
import dev.mooring.provisioner.decide.SeenClaims;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.provisioner.execute.ClaimNotes;
import dev.mooring.provisioner.execute.ClaimWork;
import dev.mooring.provisioner.execute.LiveClaimVolumes;
import dev.mooring.provisioner.execute.NodeShare;
import dev.mooring.provisioner.execute.ProvisionListeners;
import dev.mooring.provisioner.execute.ProvisionReporter;
import dev.mooring.provisioner.execute.ProvisionStats;
import dev.mooring.provisioner.execute.VolumeWork;
import dev.mooring.provisioner.state.ClaimMemory;
import dev.mooring.provisioner.state.LeavingClaims;
import dev.mooring.provisioner.state.StuckClaims;
import dev.mooring.provisioner.state.UnboundVolumes;
import dev.mooring.provisioner.state.UnfinishedCalls;
import dev.mooring.provisioner.state.VolumeMemory;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.storage.AttachmentIndex;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.storage.SharedStorageIndex;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.storage.decide.SavedVerdict;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

final class ProvisionController {
  private record ClaimId(ObjectKey key, Uid uid) {}

  private final String name;
  private final int workers;
  private final DriverNames names;
  private final ClaimRules.Names owned;
  private final VolumeService service;
  private final Informer<Claim> claimCache;
  private final Informer<Volume> volumeCache;
  private final Informer<StorageClass> classCache;
  private final Optional<Informer<Attachment>> attachments;
  private final ProvisionStats stats;
  private final SavedVolumes saved;
  private final ProvisionReporter reporter;
  private final UnfinishedCalls unfinished;
  private final ClaimWork claimWork;
  private final VolumeWork volumeWork;
  private final LeavingClaims leaving;
  private final UnboundVolumes unbound;
  private final Optional<NodeShare> node;
  private final StuckClaims<ClaimId> stuck = new StuckClaims<>();
  private final WorkQueue<ClaimId> claims;
  private final WorkQueue<ObjectKey> volumes;

  ProvisionController(
      ProvisionedStorage storage,
      SharedInformers informers,
      ClusterPorts ports,
      DeletionBreaker breaker,
      SavedVolumes saved) {
    ProvisionConfig config = storage.config();
    this.name = storage.name();
    this.service = storage.volumes();
    this.workers = config.workers();
    this.names = config.names();
    this.owned = new ClaimRules.Names(service.names(), service.inheritedNames());
    this.claimCache = informers.of(Kind.CLAIM);
    this.volumeCache = informers.of(Kind.VOLUME, SharedStorageIndex.BY_STORAGE);
    this.classCache = informers.of(Kind.STORAGE_CLASS);
    this.attachments = storage.attachments();
    this.stats = new ProvisionStats(ports.time());
    this.saved = saved;
    this.reporter = new ProvisionReporter(ports.events(), config.reporter());
    ProvisionListeners listeners = new ProvisionListeners(reporter, stats, saved);
    ClaimMemory claimMemory = new ClaimMemory(config.lastRetry(), ports.time());
    this.unfinished = claimMemory.calls();
    this.claimWork =
        new ClaimWork(
            new LiveClaimVolumes(service, ports.reader()), ports, listeners, claimMemory, names);
    this.leaving = new LeavingClaims(ports.time());
    this.unbound = new UnboundVolumes(volumeCache);
    VolumeMemory volumeMemory =
        new VolumeMemory(unbound, new SeenClaims(leaving::hadNone, key -> claimCache.get(key)));
    this.node =
        storage.node().map(n -> new NodeShare(n, ports.writer(), ports.time(), volumeMemory));
    this.volumeWork = new VolumeWork(service, ports, listeners, breaker, volumeMemory);
    Time time = ports.time();
    this.claims =
        WorkQueue.fair(name + "-claims", time, backoff(config), id -> id.key().namespace());
    this.volumes =
        WorkQueue.fair(
            name + "-volumes", time, backoff(config), ServedNamespace.ofVolumes(volumeCache));
  }

  private static <K> Backoff<K> backoff(ProvisionConfig config) {
    return new Backoff<>(config.firstRetry(), config.lastRetry());
  }

  boolean serves(String provisioner) {
    return service.isReady() && service.names().contains(provisioner);
  }

  List<OperationStats.Durations> stats() {
    return stats.read();
  }

  ControllerSpec spec() {
    ControllerSpec.Builder spec =
        ControllerSpec.named(name)
            .reads(classCache, volumeCache, claimCache)
            .on(classCache, this::classChanged)
            .on(claimCache, this::claimChanged)
            .on(volumeCache, this::volumeChanged)
            .loop(claims, this::claim, workers)
            .loop(volumes, this::volume, workers);
    attachments.ifPresent(all -> spec.reads(all).on(all, change -> attachmentChanged(all, change)));
    return spec.build();
  }

  private void claimChanged(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim now) -> add(now);
      case Change.Updated<Claim>(Claim before, Claim now) -> {
        if (!before.meta().uid().equals(now.meta().uid())) {
          gone(before);
        }
        // a failing call would otherwise be retried at once because of its own note; the watch may
        // deliver
        // the note before the write is answered
        boolean noted = ClaimNotes.differInNoteOnly(before, now);
        add(now, noted ? claims::addIfNotBackingOff : claims::add);
      }
      // a claim with a call in doubt is requeued elsewhere
      case Change.Deleted<Claim>(Claim last) -> gone(last);
    }
  }

  private void gone(Claim last) {
    leaving.sawGone(last);
    claimWork.gone(last.meta().uid());
    saved.remove(last.meta().uid());
    stuck.remove(last.className(), new ClaimId(last.key(), last.meta().uid()));
  }

  private void classChanged(Change<StorageClass> change) {
    stuck.of(change.key().name()).forEach(claims::add);
  }

  private void add(Claim claim) {
    add(claim, claims::add);
  }

  private void add(Claim claim, Consumer<ClaimId> queue) {
    leaving.saw(claim);
    if (!ClaimRules.isBeingMade(claim)) {
      saved.remove(claim.meta().uid());
    }
    ClaimId id = new ClaimId(claim.key(), claim.meta().uid());
    if (claim.volumeName().isEmpty()) {
      queue.accept(id);
    } else if (ClaimRules.isBeingMade(claim)) {
      claims.addIfNotBackingOff(id); // the change says nothing about the call in doubt
    }
  }

  private void volumeChanged(Change<Volume> change) {
    unbound.volumeChanged(change);
    switch (change) {
      case Change.Added<Volume>(Volume now) -> add(now);
      case Change.Updated<Volume>(Volume _, Volume now) -> add(now);
      case Change.Deleted<Volume>(Volume last) -> {
        volumes.forget(last.key());
        volumeWork.forget(last);
        SharedStorageIndex.of(volumeCache, last)
            .forEach(this::add); // a volume of the same storage may wait for this one
      }
    }
  }

  private void add(Volume volume) {
    if (VolumeRules.isOurs(volume, owned)) {
      volumes.add(volume.key());
    }
  }

  // An absent attachment no longer blocks deletion, so the volume is requeued at once.
  private void attachmentChanged(Informer<Attachment> all, Change<Attachment> change) {
    if (change instanceof Change.Deleted<Attachment>(Attachment last)
        && AttachmentIndex.any(all, last.volumeName()).isEmpty()) {
      volumeCache
          .get(ObjectKey.cluster(last.volumeName()))
          .filter(VolumeRules::isToBeDestroyed)
          .ifPresent(this::add);
    }
  }

  private Outcome claim(ClaimId id) throws InterruptedException {
    if (!service.isReady()) {
      return Outcome.SETTLED; // woken later
    }
    Optional<Claim> known = known(id);
    if (known.isEmpty()) {
      claimWork.gone(
          id.uid()); // another claim may have the name now; writes would change that claim
    }
    Optional<Claim> claim = known.or(() -> unfinished.find(id.uid()));
    if (claim.isEmpty()) {
      forget(id.uid());
      return Outcome.SETTLED;
    }
    // before the decision, so that no change of the class is missed
    stuck.add(claim.get().className(), id);
    Verdict verdict =
        ClaimRules.judge(claim.get(), owned, named -> classCache.get(ObjectKey.cluster(named)));
    Outcome outcome = judged(id, claim.get(), verdict);
    if (known(id).isEmpty()) { // the claim was deleted in the meantime and no event follows
      saved.remove(id.uid());
      claimWork.gone(id.uid());
    }
    boolean waitsForClass =
        (verdict instanceof Verdict.NoClass || verdict instanceof Verdict.OtherClass)
            && outcome instanceof Outcome.Retry;
    if (!(outcome instanceof Outcome.GiveUp) && !waitsForClass) {
      stuck.remove(claim.get().className(), id);
    }
    return outcome;
  }

  private Optional<Claim> known(ClaimId id) {
    return claimCache.get(id.key()).filter(c -> c.meta().uid().equals(id.uid()));
  }

  private void forget(Uid claim) {
    claimWork.forget(claim);
    node.ifPresent(n -> n.forget(claim));
  }

  private Outcome judged(ClaimId id, Claim claim, Verdict verdict) throws InterruptedException {
    if (node.isPresent() && node.get().isElsewhere(claim)) {
      forget(claim.meta().uid());
      return Outcome.SETTLED;
    }
    return switch (verdict) {
      case Verdict.NotOurs() -> settle(claim);
      case Verdict.NoClass(String missing) -> {
        String why = "claim " + id.key() + " names class \"" + missing + "\", which does not exist";
        yield claim.meta().isBeingDeleted() && isInDoubt(claim)
            ? claimWork.leave(claim, "StorageClass \"" + missing + "\" does not exist")
            : new Outcome.Retry(new Failure.Rejected(why));
      }
      case Verdict.OtherClass(StorageClass other) ->
          isInDoubt(claim)
              ? claimWork.leave(claim, isAnothers(other.meta().name(), other.provisioner()))
              : settle(claim);
      case Verdict.Ours(StorageClass storageClass) ->
          isSaved(claim) ? settle(claim) : provision(claim, storageClass);
    };
  }

  private Outcome provision(Claim claim, StorageClass storageClass) throws InterruptedException {
    NodeRules.Responsibility turn =
        node.map(n -> n.turn(claim, storageClass)).orElse(NodeRules.Responsibility.OURS);
    return switch (turn) {
      case OURS -> {
        Optional<Volume> other = volumeOfItsName(claim);
        yield other.isEmpty() || isNoted(claim) || ClaimRules.isUnwanted(claim)
            ? claimWork.provision(claim, storageClass)
            : nameInUse(
                claim, SavedVerdict.describeNameTaken(other.get(), claim.key().namespace()));
      }
      case OPEN -> node.orElseThrow().stand(claim, storageClass, names.of(claim.meta().uid()));
      case OTHERS -> {
        forget(claim.meta().uid());
        yield Outcome.SETTLED; // the claim's next change requeues it
      }
    };
  }

  private Outcome nameInUse(Claim claim, String note) {
    reporter.nameInUse(claim, note);
    return new Outcome.Retry(new Failure.Unreachable(note));
  }

  /**
   * Several provisioners may watch one claim; only its own one reports that the volume is saved.
   */
  private Outcome settle(Claim claim) throws InterruptedException {
    if (ClaimRules.isServedBy(claim, service.names())) {
      Outcome kept = keptBefore(claim);
      return kept.equals(Outcome.SETTLED) ? claimWork.settle(claim) : kept;
    }
    return claimWork.handOver(claim);
  }

  private static String isAnothers(String className, String provisioner) {
    return "StorageClass \"" + className + "\" names provisioner \"" + provisioner + "\" now";
  }

  // Protects volumes that a deleted claim got by mistake before its finalizer is removed.
  private Outcome keptBefore(Claim claim) throws InterruptedException {
    Optional<Volume> volume =
        claim.meta().isBeingDeleted() && !claim.volumeName().isEmpty()
            ? volumeCache.get(ObjectKey.cluster(claim.volumeName()))
            : Optional.empty();
    return volume.isPresent() ? volumeWork.keepIfTaken(volume.get()) : Outcome.SETTLED;
  }

  private boolean isInDoubt(Claim claim) {
    return isNoted(claim) && !isSaved(claim);
  }

  private boolean isNoted(Claim claim) {
    return ClaimNote.of(claim).isOf(service.names());
  }

  private boolean isSaved(Claim claim) {
    return volumeOfItsName(claim).filter(volume -> ClaimRules.isSavedAs(volume, claim)).isPresent();
  }

  private Optional<Volume> volumeOfItsName(Claim claim) {
    return volumeCache.get(ObjectKey.cluster(names.of(claim.meta().uid())));
  }

  private Outcome volume(ObjectKey key) throws InterruptedException {
    if (!service.isReady()) {
      return Outcome.SETTLED; // woken later
    }
    Optional<Volume> known = volumeCache.get(key);
    if (known.isPresent() && node.isPresent()) {
      Optional<Outcome> others = node.get().isOthers(known.get());
      if (others.isPresent()) {
        return others.get();
      }
    }
    return known.isPresent() ? volumeWork.tend(known.get()) : Outcome.SETTLED;
  }

  void wake(ClaimRef claim) {
    claims.add(new ClaimId(claim.claim(), claim.uid()));
  }

  void wake() {
    claimCache.snapshot().all().forEach(this::add);
    unfinished.all().forEach(this::add);
    volumeCache.snapshot().all().forEach(this::add);
  }
}
