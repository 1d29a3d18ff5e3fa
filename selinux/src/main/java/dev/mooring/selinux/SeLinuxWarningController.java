package dev.mooring.selinux;

import dev.mooring.cluster.EventSink;
import dev.mooring.informer.Change;
import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PodMounts;
import dev.mooring.model.PodMounts.PodVolume;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.Outcome;
import dev.mooring.selinux.decide.ConflictDecider;
import dev.mooring.selinux.decide.PodLabels;
import dev.mooring.selinux.decide.UseDecider;
import dev.mooring.selinux.decide.VolumeKey;
import dev.mooring.selinux.execute.ConflictReporter;
import dev.mooring.selinux.observe.Uses;
import dev.mooring.selinux.observe.VolumeFacts;
import dev.mooring.time.Time;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Warns of pods that cannot use a volume together on a node because of their SELinux labels, or of
 * how these get onto the volume ({@code selinux-warning-controller}). It looks at all pods,
 * wherever they run, and writes nothing but events. Thread-safe.
 */
public final class SeLinuxWarningController {
  /** Its name in {@code --controllers}. */
  public static final String NAME = "selinux-warning-controller";

  private static final String QUEUE = "selinux_warning";
  private static final Duration SOON = Duration.ofSeconds(1);

  /** Pods by the claims that they use. */
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

  /** The indexes that the pods' informer has to have. */
  public static final List<Index<PodMounts, ?>> POD_INDEXES = List.of(BY_CLAIM);

  /**
   * What it sees of the cluster.
   *
   * @param pods all pods that matter ({@link PodMounts#matters}), with {@link #POD_INDEXES}
   * @param claims all claims
   * @param volumes all volumes
   * @param drivers all CSIDrivers
   */
  public record Informers(
      Informer<PodMounts> pods,
      Informer<Claim> claims,
      Informer<Volume> volumes,
      Informer<CsiDriver> drivers) {}

  private final Informers informers;
  private final VolumeFacts facts;
  private final Uses uses = new Uses();
  private final ConflictReporter reporter;
  private final WorkQueue<ObjectKey> queue;

  /** A controller that does nothing yet. */
  public SeLinuxWarningController(Informers informers, EventSink events, Time time) {
    this.informers = informers;
    this.facts = new VolumeFacts(informers.claims(), informers.volumes(), informers.drivers());
    this.reporter =
        new ConflictReporter(
            events, pod -> informers.pods().snapshot().get(pod).map(PodMounts::meta));
    this.queue = new WorkQueue<>(QUEUE, time);
  }

  /** What it is made of, to be run once. */
  public ControllerSpec spec() {
    return ControllerSpec.named(NAME)
        .reads(informers.claims(), informers.volumes(), informers.drivers(), informers.pods())
        .on(informers.pods(), this::podChanged)
        .on(informers.claims(), this::claimChanged)
        .on(informers.volumes(), this::volumeChanged)
        .on(informers.drivers(), this::driverChanged)
        .loop(queue, this::sync, 1) // one: two pods of a volume are never looked at together
        .build();
  }

  private void podChanged(Change<PodMounts> change) {
    boolean same =
        change instanceof Change.Updated<PodMounts>(PodMounts before, PodMounts now)
            && before.meta().uid().equals(now.meta().uid())
            && before.isFinished() == now.isFinished()
            && before.containers().equals(now.containers());
    if (!same) {
      queue.add(change.key());
    }
  }

  /** A claim that goes leaves the volume where it is, as long as the pod runs. */
  private void claimChanged(Change<Claim> change) {
    boolean same =
        change instanceof Change.Updated<Claim>(Claim before, Claim now)
            && isSame(before, now)
            && before.phase() == now.phase()
            && before.volumeName().equals(now.volumeName());
    if (!same
        && !(change instanceof Change.Deleted<Claim>)
        && change.object().phase() == ClaimPhase.BOUND) {
      wakePodsOf(change.key());
    }
  }

  private void volumeChanged(Change<Volume> change) {
    boolean same =
        change instanceof Change.Updated<Volume>(Volume before, Volume now)
            && isSame(before, now)
            && claimOf(before).equals(claimOf(now));
    ClaimRef ref = change.object().claimRef();
    if (!same && !(change instanceof Change.Deleted<Volume>) && ref != null) {
      wakePodsOf(ref.claim());
    }
  }

  private static Uid claimOf(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null ? Uid.NONE : ref.uid();
  }

  private static boolean isSame(Resource before, Resource now) {
    return before.meta().uid().equals(now.meta().uid());
  }

  private void driverChanged(Change<CsiDriver> change) {
    boolean same =
        change instanceof Change.Updated<CsiDriver>(CsiDriver before, CsiDriver now)
            && before.seLinuxMount() == now.seLinuxMount();
    if (!same) {
      uses.podsOf(change.key().name()).forEach(queue::add);
    }
  }

  private void wakePodsOf(ObjectKey claim) {
    informers.pods().snapshot().by(BY_CLAIM, claim).forEach(pod -> queue.add(pod.key()));
  }

  private Outcome sync(ObjectKey key) {
    Optional<PodMounts> pod = informers.pods().snapshot().get(key);
    PodLabels use = pod.map(p -> UseDecider.decide(p, facts.of(p))).orElse(PodLabels.NONE);
    for (VolumeKey volume : uses.replace(key, use.volumes())) {
      reporter.tell(volume, ConflictDecider.decide(uses.view(volume, ConflictDecider.MOST_PAIRS)));
    }
    pod.ifPresentOrElse(p -> reporter.tellMixed(p.meta(), use.mixed()), () -> reporter.forget(key));
    return Outcome.SETTLED;
  }

  /** The conflicts at this moment, for metrics. */
  public List<VolumeConflict> conflicts() {
    return reporter.lasting().stream()
        .map(c ->
            new VolumeConflict(
                c.property().toString(), c.pod(), c.value(), c.other(), c.otherValue()))
        .toList();
  }
}
