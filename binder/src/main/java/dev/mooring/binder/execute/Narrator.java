package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Reason;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterEvent.Type;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells what the binder does, in the log and as events: once per change, however often it is
 * decided again. The only class of {@code execute} that talks. Thread-safe.
 */
public final class Narrator {
  /** The reporting component's name, which alerts and dashboards filter by. */
  public static final String REPORTER = "persistentvolume-controller";

  private static final System.Logger LOG = System.getLogger(Narrator.class.getName());
  private static final int REMEMBERED = 50_000;

  private static final class Told extends LinkedHashMap<Object, String> {
    private static final long serialVersionUID = 1L;

    Told() {
      super(64, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Object, String> eldest) {
      return size() > REMEMBERED;
    }
  }

  private final EventSink events;
  private final boolean explaining;
  private final Map<Object, String> told = new Told();

  /**
   * Tells events to that sink.
   *
   * @param explaining whether a note ends with its code in the catalogue and the remedy
   */
  public Narrator(EventSink events, boolean explaining) {
    this.events = events;
    this.explaining = explaining;
  }

  private void tell(Kind<?> kind, Meta about, Reason why, String action, String note) {
    if (why == Reason.SILENT) {
      return;
    }
    String full = explaining ? note + " [" + why.code() + "]; what to do: " + why.remedy() : note;
    tell(kind, about, why.warning() ? Type.WARNING : Type.NORMAL, why.event(), action, full);
  }

  private void tell(
      Kind<?> kind, Meta about, Type type, String reason, String action, String note) {
    String news = reason + " " + note;
    synchronized (told) {
      if (news.equals(told.put(about.uid(), news))) {
        return;
      }
    }
    LOG.log(
        type == Type.WARNING ? Level.WARNING : Level.INFO,
        () -> kind + " " + about.key() + ": " + reason + ": " + note);
    events.tell(new ClusterEvent(kind, about, type, reason, action, note, REPORTER));
  }

  /** Forgets what was told of an object: the next word is news again. */
  void settled(Meta about) {
    synchronized (told) {
      told.remove(about.uid());
    }
  }

  void waiting(Claim claim, Reason why, String note) {
    tell(Kind.CLAIM, claim.meta(), why, "Binding", note);
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
        Type.NORMAL,
        "ProvisioningSucceeded",
        "Provisioning",
        "Successfully provisioned volume " + volume + " using " + plugin);
  }

  void provisioningFailed(Claim claim, Reason why, String note) {
    tell(Kind.CLAIM, claim.meta(), why, "Provisioning", note);
  }

  void cleanupFailed(Claim claim, String note) {
    tell(Kind.CLAIM, claim.meta(), Reason.CLEAN_UP_FAILED, "Provisioning", note);
  }

  void modeMismatch(Volume volume, Claim claim) {
    tell(
        Kind.VOLUME,
        volume.meta(),
        Type.WARNING,
        "VolumeMismatch",
        "Binding",
        "Cannot bind PersistentVolume to requested PersistentVolumeClaim \""
            + claim.meta().name()
            + "\" due to incompatible volumeMode.");
    tell(
        Kind.CLAIM,
        claim.meta(),
        Type.WARNING,
        "VolumeMismatch",
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

  void recycled(Volume volume) {
    tell(Kind.VOLUME, volume.meta(), Type.NORMAL, "VolumeRecycled", "Recycling", "Volume recycled");
  }
}
