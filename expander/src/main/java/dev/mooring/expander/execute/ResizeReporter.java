package dev.mooring.expander.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Tells claims who grows them and how that went. Thread-safe. */
public final class ResizeReporter {
  /** The reason of the events that say that it failed. */
  public static final String FAILED = "VolumeResizeFailed";

  /** The reason of those that say that it went well. */
  public static final String DONE = "VolumeResizeSuccessful";

  private static final System.Logger LOG = System.getLogger(ResizeReporter.class.getName());
  private static final String REPORTER = "volume_expand";

  private final EventSink events;
  private final Map<ObjectKey, String> told = new ConcurrentHashMap<>();

  ResizeReporter(EventSink events) {
    this.events = events;
  }

  /** Somebody else grows it: told once per size that is asked for. */
  void leftTo(Claim claim, String note) {
    String said = claim.meta().uid() + " " + claim.request() + " " + note;
    if (!said.equals(told.put(claim.key(), said))) {
      tell(claim, ClusterEvent.Type.NORMAL, "ExternalExpanding", note);
    }
  }

  void failed(Claim claim, String why) {
    tell(
        claim,
        ClusterEvent.Type.WARNING,
        FAILED,
        "error expanding pvc " + claim.key() + ": " + why);
  }

  void succeeded(Claim claim) {
    tell(claim, ClusterEvent.Type.NORMAL, DONE, "ExpandVolume succeeded for volume " + claim.key());
  }

  /** For the operator alone: the claim is not told of what is done again at once. */
  void missed(String what, String result) {
    LOG.log(Level.INFO, () -> what + " did not succeed (" + result + "); it is tried again");
  }

  void forget(ObjectKey claim) {
    told.remove(claim);
  }

  private void tell(Claim claim, ClusterEvent.Type type, String reason, String note) {
    events.tell(
        new ClusterEvent(Kind.CLAIM, claim.meta(), type, reason, "Expanding", note, REPORTER));
  }
}
