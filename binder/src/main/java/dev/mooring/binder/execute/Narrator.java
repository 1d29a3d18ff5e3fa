package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Reason;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterEvent.Type;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Tells what the binder does, in the log and as events: once per change, however often it is
 * decided again. The only class of {@code execute} that talks. Thread-safe.
 */
public final class Narrator {
  /** The reporting component's name, which alerts and dashboards filter by. */
  public static final String REPORTER = "persistentvolume-controller";

  private static final System.Logger LOG = System.getLogger(Narrator.class.getName());
  private static final int REMEMBERED = 50_000;

  private static final long DETAILS_LAST = Duration.ofMinutes(5).toNanos();

  /** What was last told of an object. */
  private record Word(String subject, String details, long at) {
    static final Word NONE = new Word("", "", 0);
  }

  private static final class Told extends LinkedHashMap<Object, Word> {
    private static final long serialVersionUID = 1L;

    Told() {
      super(64, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Object, Word> eldest) {
      return size() > REMEMBERED;
    }
  }

  private final EventSink events;
  private final boolean explaining;
  private final Time time;
  private final Map<Object, Word> told = new Told();

  /**
   * Tells events to that sink.
   *
   * @param time the clock
   * @param explaining whether a note ends with its code in the catalogue and the remedy
   */
  public Narrator(EventSink events, Time time, boolean explaining) {
    this.time = time;
    this.events = events;
    this.explaining = explaining;
  }

  private void tell(Kind<?> kind, Meta about, Reason why, String action, String note) {
    tell(kind, about, why, action, note, () -> "");
  }

  /**
   * Tells it if it is news: another reason than was told last, or, after a while, the same reason
   * with other details.
   *
   * @param details asked for only then
   */
  private void tell(
      Kind<?> kind, Meta about, Reason why, String action, String note, Supplier<String> details) {
    if (why == Reason.SILENT) {
      return;
    }
    String subject = why + " " + note;
    long now = time.nanos();
    Word last;
    synchronized (told) {
      last = told.getOrDefault(about.uid(), Word.NONE);
    }
    boolean same = last.subject().equals(subject);
    if (same && now - last.at() < DETAILS_LAST) {
      return;
    }
    String more = details.get();
    synchronized (told) {
      told.put(about.uid(), new Word(subject, more, now));
    }
    if (same && last.details().equals(more)) {
      return;
    }
    String full =
        explaining ? note + more + " [" + why.code() + "]; what to do: " + why.remedy() : note;
    Type type = why.warning() ? Type.WARNING : Type.NORMAL;
    LOG.log(
        why.warning() ? Level.WARNING : Level.INFO,
        () -> kind + " " + about.key() + ": " + why.event() + ": " + full);
    events.tell(new ClusterEvent(kind, about, type, why.event(), action, full, REPORTER));
  }

  /** Tells a success, which is always news once. */
  private void tell(Kind<?> kind, Meta about, String reason, String action, String note) {
    String subject = reason + " " + note;
    synchronized (told) {
      Word last = told.put(about.uid(), new Word(subject, "", time.nanos()));
      if (last != null && last.subject().equals(subject)) {
        return;
      }
    }
    LOG.log(Level.INFO, () -> kind + " " + about.key() + ": " + reason + ": " + note);
    events.tell(new ClusterEvent(kind, about, Type.NORMAL, reason, action, note, REPORTER));
  }

  /** Forgets what was told of an object: the next word is news again. */
  void settled(Meta about) {
    synchronized (told) {
      told.remove(about.uid());
    }
  }

  /**
   * Tells why a claim waits.
   *
   * @param nearest the volumes that came nearest; asked for only if they are told
   */
  void waiting(Claim claim, Reason why, String note, Supplier<String> nearest) {
    tell(
        Kind.CLAIM,
        claim.meta(),
        why,
        "Binding",
        note,
        () -> {
          String near = explaining && why.namesNearest() ? nearest.get() : "";
          return near.isEmpty() ? "" : "; nearest: " + near;
        });
  }

  /** The server refuses what would bind the claim. Kubernetes tells that to its log alone. */
  void refused(Claim claim, String note) {
    if (explaining) {
      tell(Kind.CLAIM, claim.meta(), Reason.WRITE_REFUSED, "Binding", note);
    }
  }

  void bound(Claim claim, Volume volume) {
    settled(claim.meta());
    LOG.log(
        Level.INFO,
        () ->
            "claim "
                + claim.key()
                + " is bound to volume "
                + volume.meta().name()
                + " ("
                + volume.storage()
                + " for "
                + claim.request()
                + ")");
  }

  void handedOver(Claim claim, String provisioner) {
    tell(
        Kind.CLAIM,
        claim.meta(),
        Reason.EXTERNAL_PROVISIONER,
        "Provisioning",
        "Waiting for a volume to be created either by the external provisioner '"
            + provisioner
            + "' or manually by the system administrator. "
            + "If volume creation is delayed, please verify that the provisioner is running and correctly registered.");
  }

  void provisioned(Claim claim, String volume, String plugin) {
    tell(
        Kind.CLAIM,
        claim.meta(),
        "ProvisioningSucceeded",
        "Provisioning",
        "Successfully provisioned volume " + volume + " using " + plugin);
  }

  void provisioningFailed(Claim claim, Reason why, String note) {
    tell(Kind.CLAIM, claim.meta(), why, "Provisioning", note);
  }

  /** In Kubernetes the claim waits without a word. */
  void nameTaken(Claim claim, Volume volume) {
    if (!explaining) {
      return;
    }
    ClaimRef ref = volume.claimRef();
    provisioningFailed(
        claim,
        Reason.VOLUME_NAME_TAKEN,
        "volume \""
            + volume.meta().name()
            + "\" exists already and is "
            + (ref == null ? "nobody's" : "claim \"" + ref.claim() + "\"'s"));
  }

  void cleanupFailed(Claim claim, String note) {
    tell(Kind.CLAIM, claim.meta(), Reason.CLEAN_UP_FAILED, "Provisioning", note);
  }

  void modeMismatch(Volume volume, Claim claim) {
    tell(
        Kind.VOLUME,
        volume.meta(),
        Reason.VOLUME_MODE_DIFFERS,
        "Binding",
        "Cannot bind PersistentVolume to requested PersistentVolumeClaim \""
            + claim.meta().name()
            + "\" due to incompatible volumeMode.");
    tell(
        Kind.CLAIM,
        claim.meta(),
        Reason.VOLUME_MODE_DIFFERS,
        "Binding",
        "Cannot bind PersistentVolume \""
            + volume.meta().name()
            + "\" to requested PersistentVolumeClaim due to incompatible volumeMode.");
  }

  void released(Volume volume) {
    LOG.log(
        Level.INFO,
        () ->
            "volume "
                + volume.meta().name()
                + " is released: its claim "
                + volume.claimRef()
                + " is gone");
  }

  void deleteFailed(Volume volume, Reason why, String note) {
    tell(Kind.VOLUME, volume.meta(), why, "Deleting", note);
  }

  void deleteDelayed(Volume volume, String note) {
    tell(Kind.VOLUME, volume.meta(), Reason.DELETE_WAITS, "Deleting", note);
  }

  void held(Volume volume, String note) {
    tell(Kind.VOLUME, volume.meta(), Reason.DELETIONS_HELD, "Deleting", note);
  }

  void deleted(Volume volume) {
    LOG.log(Level.INFO, () -> "volume " + volume.meta().name() + " and what was on it are deleted");
  }

  void unknownPolicy(Volume volume) {
    tell(
        Kind.VOLUME,
        volume.meta(),
        Reason.POLICY_UNKNOWN,
        "Reclaiming",
        "Volume has unrecognized PersistentVolumeReclaimPolicy");
  }

  void notRecycledYet(Volume volume, List<ObjectKey> pods) {
    tell(
        Kind.VOLUME,
        volume.meta(),
        Reason.RECYCLE_WAITS,
        "Recycling",
        "Volume is used by pods: "
            + String.join(",", pods.stream().map(ObjectKey::toString).toList()));
  }

  void recycleFailed(Volume volume, Reason why, String note) {
    tell(Kind.VOLUME, volume.meta(), why, "Recycling", note);
  }

  void scrubbing(Volume volume, ObjectKey pod) {
    LOG.log(Level.INFO, () -> "volume " + volume.meta().name() + " is scrubbed by pod " + pod);
  }

  /** Something was told of the pod that scrubs it; each time is news. */
  void scrubberTold(Volume volume, Type type, String note) {
    events.tell(
        new ClusterEvent(
            Kind.VOLUME,
            volume.meta(),
            type,
            "RecyclerPod",
            "Recycling",
            "Recycler pod: " + note,
            REPORTER));
  }

  /** What is told of the pod cannot be read: the volume is recycled nevertheless. */
  void scrubberUnheard(ObjectKey pod, String why) {
    LOG.log(Level.DEBUG, () -> "events of pod " + pod + ": " + why);
  }

  void recycled(Volume volume) {
    tell(Kind.VOLUME, volume.meta(), "VolumeRecycled", "Recycling", "Volume recycled");
  }
}
