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
import dev.mooring.provisioner.decide.ObservedClaims;
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
import dev.mooring.provisioner.state.ClaimsAwaitingClass;
import dev.mooring.provisioner.state.DeletedUnboundClaims;
import dev.mooring.provisioner.state.UnboundVolumes;
import dev.mooring.provisioner.state.UnfinishedCalls;
import dev.mooring.provisioner.state.VolumeMemory;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.storage.AttachmentIndex;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.storage.SharedStorageIndex;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.storage.decide.SavedVerdict;
import dev.mooring.time.Time;
import dev.mooring.workqueue.WorkQueue;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

final class ProvisionController {
  private record ClaimId(ObjectKey key, Uid uid) {
    @Override
    public String toString() {
      return key.toString(); // in log lines
    }
  }

  private final String name;
  private final int workers;
  private final DriverNames volumeNames;
  private final ClaimRules.Names provisionerNames;
  private final VolumeService service;
  private final Informer<Claim> claimCache;
  private final Informer<Volume> volumeCache;
  private final Informer<StorageClass> classCache;
  private final Optional<Informer<Attachment>> attachments;
  private final ProvisionStats stats;
  private final SavedVolumes savedVolumes;
  private final ProvisionReporter reporter;
  private final UnfinishedCalls unfinishedCalls;
  private final ClaimWork claimWork;
  private final VolumeWork volumeWork;
  private final DeletedUnboundClaims deletedUnboundClaims;
  private final UnboundVolumes unboundVolumes;
  private final Optional<NodeShare> nodeShare;
  private final ClaimsAwaitingClass<ClaimId> claimsAwaitingClass = new ClaimsAwaitingClass<>();
  private final WorkQueue<ClaimId> claims;
  private final WorkQueue<ObjectKey> volumes;

  ProvisionController(
      ProvisionedStorage storage,
      SharedInformers informers,
      ClusterPorts ports,
      SharedState shared) {
    ProvisionConfig config = storage.config();
    Time time = ports.time();
    this.name = storage.name();
    this.service = storage.volumes();
    this.workers = config.workers();
    this.volumeNames = config.names();
    this.provisionerNames =
        new ClaimRules.Names(service.provisionerNames(), service.inheritedNames());
    this.claimCache = informers.of(Kind.CLAIM);
    this.volumeCache = informers.of(Kind.VOLUME, SharedStorageIndex.BY_STORAGE);
    this.classCache = informers.of(Kind.STORAGE_CLASS);
    this.attachments = storage.attachments();
    this.stats = new ProvisionStats(time);
    this.savedVolumes = shared.savedVolumes();
    this.reporter = new ProvisionReporter(ports.events(), config.reporter());
    ProvisionListeners listeners = new ProvisionListeners(reporter, stats, savedVolumes);
    ClaimMemory claimMemory =
        new ClaimMemory(config.lastRetry(), config.thresholds().failedProvisions(), time);
    this.unfinishedCalls = claimMemory.unfinishedCalls();
    VolumeService liveVolumes = new LiveClaimVolumes(service, ports.reader());
    this.claimWork = new ClaimWork(liveVolumes, ports, listeners, claimMemory, volumeNames);
    this.deletedUnboundClaims = new DeletedUnboundClaims(time);
    this.unboundVolumes = new UnboundVolumes(volumeCache);
    ObservedClaims observedClaims =
        new ObservedClaims(deletedUnboundClaims::hadNoVolume, key -> claimCache.get(key));
    VolumeMemory volumeMemory =
        new VolumeMemory(
            unboundVolumes,
            observedClaims,
            shared.handover(),
            config.thresholds().failedDeletions());
    this.nodeShare = storage.node().map(n -> new NodeShare(n, ports.writer(), time, volumeMemory));
    this.volumeWork = new VolumeWork(service, ports, listeners, shared.guards(), volumeMemory);
    this.claims =
        storage.createQueue("claims", time, id -> id.key().namespace(), service.provisionGate());
    this.volumes =
        storage.createQueue(
            "volumes", time, ServedNamespace.ofVolumes(volumeCache), service.destroyGate());
  }

  boolean serves(String provisioner) {
    return service.isReady() && service.provisionerNames().contains(provisioner);
  }

  List<OperationStats.Durations> stats() {
    return stats.listDurations();
  }

  ControllerSpec spec() {
    ControllerSpec.Builder spec =
        ControllerSpec.builder(name)
            .reads(classCache, volumeCache, claimCache)
            .addHandler(classCache, this::classChanged)
            .addHandler(claimCache, this::claimChanged)
            .addHandler(volumeCache, this::volumeChanged)
            .loop(claims, this::syncClaim, workers)
            .loop(volumes, this::syncVolume, workers);
    attachments.ifPresent(attachmentCache ->
        spec.reads(attachmentCache)
            .addHandler(attachmentCache, change -> attachmentChanged(attachmentCache, change)));
    return spec.build();
  }

  private void claimChanged(Change<Claim> change) {
    switch (change) {
      case Change.Added<Claim>(Claim current) -> requeueClaim(current);
      case Change.Updated<Claim>(Claim old, Claim current) -> {
        if (old.isReplacedBy(current)) {
          forgetDeletedClaim(old);
        }
        // the note's own watch event must not end the back-off of a failing call; it may arrive
        // before the answer to the write
        boolean isNoteChange = ClaimNotes.differInNoteOnly(old, current);
        requeueClaim(current, isNoteChange ? claims::addIfNotBackingOff : claims::add);
      }
      // a claim with a call in doubt is requeued elsewhere
      case Change.Deleted<Claim>(Claim last, _) -> forgetDeletedClaim(last);
    }
  }

  private void forgetDeletedClaim(Claim last) {
    deletedUnboundClaims.recordDeletion(last);
    claimWork.forgetDeleted(last.meta().uid());
    savedVolumes.remove(last.meta().uid());
    claimsAwaitingClass.remove(last.className(), new ClaimId(last.key(), last.meta().uid()));
  }

  private void classChanged(Change<StorageClass> change) {
    claimsAwaitingClass.of(change.key().name()).forEach(claims::add);
  }

  private void requeueClaim(Claim claim) {
    requeueClaim(claim, claims::add);
  }

  private void requeueClaim(Claim claim, Consumer<ClaimId> queue) {
    deletedUnboundClaims.recordClaim(claim);
    if (!ClaimRules.isBeingMade(claim)) {
      savedVolumes.remove(claim.meta().uid());
    }
    ClaimId id = new ClaimId(claim.key(), claim.meta().uid());
    if (claim.volumeName().isEmpty()) {
      queue.accept(id);
    } else if (ClaimRules.isBeingMade(claim)) {
      claims.addIfNotBackingOff(id); // the change does not settle the call in doubt
    } else {
      claimsAwaitingClass.remove(claim.className(), id);
    }
  }

  private void volumeChanged(Change<Volume> change) {
    unboundVolumes.volumeChanged(change);
    switch (change) {
      case Change.Added<Volume>(Volume current) -> requeueVolume(current);
      case Change.Updated<Volume>(Volume old, Volume current) -> {
        if (old.isReplacedBy(current)) {
          forgetVolume(old);
        }
        requeueVolume(current);
      }
      case Change.Deleted<Volume>(Volume last, _) -> forgetVolume(last);
    }
  }

  private void forgetVolume(Volume last) {
    volumes.forget(last.key());
    volumeWork.forget(last);
    SharedStorageIndex.findTwins(volumeCache, last)
        .forEach(this::requeueVolume); // a volume of the same storage may wait for this one
  }

  private void requeueVolume(Volume volume) {
    if (VolumeRules.isOurs(volume, provisionerNames)) {
      volumes.add(volume.key());
    }
  }

  // An absent attachment no longer blocks deletion, so the volume is requeued at once.
  private void attachmentChanged(Informer<Attachment> attachmentCache, Change<Attachment> change) {
    if (change instanceof Change.Deleted<Attachment>(Attachment last, _)
        && AttachmentIndex.findAny(attachmentCache, last.volumeName()).isEmpty()) {
      volumeCache
          .get(ObjectKey.cluster(last.volumeName()))
          .filter(VolumeRules::isToBeDestroyed)
          .ifPresent(this::requeueVolume);
    }
  }

  private Outcome syncClaim(ClaimId id) throws InterruptedException {
    if (!service.isReady()) {
      return Outcome.SETTLED; // requeued later
    }
    Optional<Claim> cachedClaim = findCachedClaim(id);
    if (cachedClaim.isEmpty()) {
      claimWork.forgetDeleted(
          id.uid()); // another claim may have the name now; writes would change that claim
    }
    Optional<Claim> claim = cachedClaim.or(() -> unfinishedCalls.find(id.uid()));
    if (claim.isEmpty()) {
      forget(id.uid());
      return Outcome.SETTLED;
    }
    // before the decision, so that no change of the class is missed
    claimsAwaitingClass.add(claim.get().className(), id);
    Verdict verdict =
        ClaimRules.judge(
            claim.get(), provisionerNames, named -> classCache.get(ObjectKey.cluster(named)));
    Outcome outcome = executeVerdict(id, claim.get(), verdict);
    Optional<Claim> currentClaim = findCachedClaim(id);
    if (currentClaim.isEmpty()) { // the claim was deleted in the meantime and no event follows
      savedVolumes.remove(id.uid());
      claimWork.forgetDeleted(id.uid());
    }
    boolean waitsForClass =
        switch (verdict) {
          case Verdict.NoNode(), Verdict.NoClass _, Verdict.OtherClass _ -> true;
          case Verdict.Ours _ -> !(outcome instanceof Outcome.Retry); // keeps its back-off
          case Verdict.NotOurs() -> outcome instanceof Outcome.GiveUp;
        };
    boolean isFinished =
        currentClaim.map(ClaimRules::isFinished).orElse(outcome.equals(Outcome.SETTLED));
    if (!waitsForClass || isFinished) {
      claimsAwaitingClass.remove(claim.get().className(), id);
    }
    return outcome;
  }

  private Optional<Claim> findCachedClaim(ClaimId id) {
    return claimCache.get(id.key()).filter(c -> c.meta().uid().equals(id.uid()));
  }

  private void forget(Uid claim) {
    claimWork.forget(claim);
    nodeShare.ifPresent(n -> n.forget(claim));
  }

  private Outcome executeVerdict(ClaimId id, Claim claim, Verdict verdict)
      throws InterruptedException {
    if (nodeShare.isPresent() && nodeShare.get().isElsewhere(claim)) {
      forget(claim.meta().uid());
      return Outcome.SETTLED;
    }
    return switch (verdict) {
      case Verdict.NotOurs(), Verdict.NoNode() -> settle(claim);
      case Verdict.NoClass(String className) when !ClaimRules.isUnwanted(claim) ->
          new Outcome.Retry(
              new Failure.Rejected(
                  "claim %s names class \"%s\", which does not exist"
                      .formatted(id.key(), className)));
      case Verdict.NoClass(String className) ->
          isInDoubt(claim)
              ? claimWork.handleUnknownRequest(
                  claim, "StorageClass \"" + className + "\" does not exist")
              : settle(claim);
      case Verdict.OtherClass otherClass ->
          isInDoubt(claim)
              ? claimWork.handleUnknownRequest(claim, otherClass.describe())
              : settle(claim);
      case Verdict.Ours(StorageClass storageClass) ->
          isSaved(claim) ? settle(claim) : provision(claim, storageClass);
    };
  }

  private Outcome provision(Claim claim, StorageClass storageClass) throws InterruptedException {
    NodeRules.Responsibility responsibility =
        nodeShare
            .map(n -> n.decideResponsibility(claim, storageClass))
            .orElse(NodeRules.Responsibility.OURS);
    return switch (responsibility) {
      case OURS -> {
        Optional<Volume> namedVolume = findNamedVolume(claim);
        yield namedVolume.isEmpty() || hasNote(claim) || ClaimRules.isUnwanted(claim)
            ? claimWork.provision(claim, storageClass)
            : reportUsedName(
                claim, SavedVerdict.describeNameTaken(namedVolume.get(), claim.key().namespace()));
      }
      case OPEN ->
          nodeShare.orElseThrow().compete(claim, storageClass, volumeNames.of(claim.meta().uid()));
      case OTHERS -> {
        forget(claim.meta().uid());
        yield Outcome.SETTLED; // the claim's next change requeues it
      }
    };
  }

  private Outcome reportUsedName(Claim claim, String message) {
    reporter.reportUsedName(claim, message);
    return new Outcome.Retry(new Failure.Unreachable(message));
  }

  // several provisioners may watch one claim; only its own one reports that the volume is saved
  private Outcome settle(Claim claim) throws InterruptedException {
    if (ClaimRules.isServedBy(claim, service.provisionerNames())) {
      Outcome keepOutcome = keepTakenVolume(claim);
      return keepOutcome.equals(Outcome.SETTLED) ? claimWork.settle(claim) : keepOutcome;
    }
    return claimWork.handOver(claim);
  }

  // Protects volumes that a deleted claim got by mistake before its finalizer is removed.
  private Outcome keepTakenVolume(Claim claim) throws InterruptedException {
    Optional<Volume> volume =
        claim.meta().isBeingDeleted() && !claim.volumeName().isEmpty()
            ? volumeCache.get(ObjectKey.cluster(claim.volumeName()))
            : Optional.empty();
    return volume.isPresent() ? volumeWork.keepIfTaken(volume.get()) : Outcome.SETTLED;
  }

  private boolean isInDoubt(Claim claim) {
    return hasNote(claim) && !isSaved(claim);
  }

  private boolean hasNote(Claim claim) {
    return ClaimNote.of(claim).isOwnedBy(service.provisionerNames());
  }

  private boolean isSaved(Claim claim) {
    return findNamedVolume(claim)
        .filter(volume -> ClaimRules.isVolumeOf(volume, claim))
        .isPresent();
  }

  private Optional<Volume> findNamedVolume(Claim claim) {
    return volumeCache.get(ObjectKey.cluster(volumeNames.of(claim.meta().uid())));
  }

  private Outcome syncVolume(ObjectKey key) throws InterruptedException {
    if (!service.isReady()) {
      return Outcome.SETTLED; // requeued later
    }
    Optional<Volume> cachedVolume = volumeCache.get(key);
    if (cachedVolume.isPresent() && nodeShare.isPresent()) {
      Optional<Outcome> foreignOutcome = nodeShare.get().checkOwnership(cachedVolume.get());
      if (foreignOutcome.isPresent()) {
        return foreignOutcome.get();
      }
    }
    return cachedVolume.isPresent() ? volumeWork.sync(cachedVolume.get()) : Outcome.SETTLED;
  }

  void wakeClaim(ClaimRef claim) {
    claims.add(new ClaimId(claim.claim(), claim.uid()));
  }

  void wakeAll() {
    claimCache.snapshot().objects().forEach(this::requeueClaim);
    unfinishedCalls.listClaims().forEach(this::requeueClaim);
    volumeCache.snapshot().objects().forEach(this::requeueVolume);
  }
}
