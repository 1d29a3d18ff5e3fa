package dev.mooring.selinux;

import com.google.inject.Inject;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.RbacRules;
import dev.mooring.informer.Change;
import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PodMounts;
import dev.mooring.model.PodMounts.PodVolume;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.selinux.decide.ConflictDecider;
import dev.mooring.selinux.decide.PodLabels;
import dev.mooring.selinux.decide.UseDecider;
import dev.mooring.selinux.decide.VolumeKey;
import dev.mooring.selinux.execute.ConflictReporter;
import dev.mooring.selinux.observe.VolumeFacts;
import dev.mooring.selinux.state.ReportedConflicts;
import dev.mooring.selinux.state.VolumeUseIndex;
import dev.mooring.workqueue.WorkQueue;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Emits events for pods that cannot share a volume on a node, because their SELinux labels or their
 * SELinux change policies differ (Kubernetes: {@code selinux-warning-controller}). Compares the
 * pods of all nodes. Thread-safe.
 */
public final class SeLinuxWarningController {
  public static final String NAME = "selinux-warning-controller";

  public static final RbacRules RIGHTS =
      RbacRules.forPurpose("warning of conflicting SELinux labels")
          .mayCache(Kind.POD)
          .mayCache(Kind.CSI_DRIVER)
          .mayEmitEvents();

  private static final String QUEUE = "selinux_warning";

  private static final Index<PodMounts, ObjectKey> BY_CLAIM =
      new Index<>(
          "claim",
          pod ->
              pod.volumes().stream()
                  .map(PodVolume::claim)
                  .filter(claim -> !claim.isEmpty())
                  .distinct()
                  .map(claim -> ObjectKey.of(pod.key().namespace(), claim))
                  .toList());

  private final Informer<PodMounts> pods;
  private final Informer<Claim> claims;
  private final Informer<Volume> volumes;
  private final Informer<CsiDriver> drivers;
  private final VolumeFacts facts;
  private final VolumeUseIndex uses = new VolumeUseIndex();
  private final ReportedConflicts reportedConflicts = new ReportedConflicts();
  private final ConflictReporter reporter;
  private final WorkQueue<ObjectKey> queue;

  @Inject
  public SeLinuxWarningController(SharedInformers informers, ClusterPorts ports) {
    this.pods = informers.of(Kind.POD_MOUNTS, BY_CLAIM);
    this.claims = informers.of(Kind.CLAIM);
    this.volumes = informers.of(Kind.VOLUME);
    this.drivers = informers.of(Kind.CSI_DRIVER);
    this.facts = new VolumeFacts(claims, volumes, drivers);
    this.reporter = new ConflictReporter(ports.events(), pods, reportedConflicts);
    this.queue = WorkQueue.fair(QUEUE, ports.time(), ObjectKey::namespace);
  }

  public ControllerSpec spec() {
    return ControllerSpec.builder(NAME)
        .reads(claims, volumes, drivers, pods)
        .addHandler(pods, this::podChanged)
        .addHandler(claims, this::claimChanged)
        .addHandler(volumes, this::volumeChanged)
        .addHandler(drivers, this::driverChanged)
        .loop(
            queue,
            this::sync,
            1) // one worker: two pods of a volume are never compared concurrently
        .build();
  }

  private void podChanged(Change<PodMounts> change) {
    boolean isUnchanged =
        change instanceof Change.Updated<PodMounts>(PodMounts old, PodMounts current)
            && !old.isReplacedBy(current)
            && old.isFinished() == current.isFinished()
            && old.containers().equals(current.containers());
    if (!isUnchanged) {
      queue.add(change.key());
    }
  }

  // A deleted claim changes nothing: its pods keep the volume mounted while they run.
  private void claimChanged(Change<Claim> change) {
    boolean isUnchanged =
        change instanceof Change.Updated<Claim>(Claim old, Claim current)
            && !old.isReplacedBy(current)
            && old.phase() == current.phase()
            && old.volumeName().equals(current.volumeName());
    if (!isUnchanged
        && !(change instanceof Change.Deleted<Claim>)
        && change.object().phase() == ClaimPhase.BOUND) {
      requeuePodsOf(change.key());
    }
  }

  private void volumeChanged(Change<Volume> change) {
    boolean isUnchanged =
        change instanceof Change.Updated<Volume>(Volume old, Volume current)
            && !old.isReplacedBy(current)
            && claimUid(old).equals(claimUid(current));
    ClaimRef ref = change.object().claimRef();
    if (!isUnchanged && !(change instanceof Change.Deleted<Volume>) && ref != null) {
      requeuePodsOf(ref.claim());
    }
  }

  private static Uid claimUid(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null ? Uid.NONE : ref.uid();
  }

  private void driverChanged(Change<CsiDriver> change) {
    boolean isUnchanged =
        change instanceof Change.Updated<CsiDriver>(CsiDriver old, CsiDriver current)
            && old.seLinuxMount() == current.seLinuxMount();
    if (!isUnchanged) {
      uses.podsOf(change.key().name()).forEach(queue::add);
    }
  }

  private void requeuePodsOf(ObjectKey claim) {
    pods.findByIndex(BY_CLAIM, claim).forEach(pod -> queue.add(pod.key()));
  }

  private Outcome sync(ObjectKey key) {
    Optional<PodMounts> pod = pods.get(key);
    pod.ifPresent(p -> reportConflicts(uses.removeEarlier(key, p.meta().uid())));
    PodLabels labels =
        pod.map(p -> UseDecider.decide(p, facts.findFacts(p))).orElse(PodLabels.NONE);
    reportConflicts(uses.replace(key, labels.volumes()));
    pod.ifPresentOrElse(
        p -> reporter.reportMixedLabels(p.meta(), labels.mixedVolumes()),
        () -> reportedConflicts.forget(key));
    return Outcome.SETTLED;
  }

  private void reportConflicts(Set<VolumeKey> changedVolumes) {
    for (VolumeKey volume : changedVolumes) {
      reporter.reportConflicts(
          volume, ConflictDecider.decide(uses.view(volume, ConflictDecider.MAX_PAIRS)));
    }
  }

  public List<VolumeConflict> conflicts() {
    return reportedConflicts.current().stream()
        .map(c ->
            new VolumeConflict(
                c.property().toString(), c.pod(), c.value(), c.otherPod(), c.otherValue()))
        .toList();
  }
}
