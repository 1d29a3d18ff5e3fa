package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.provisioner.decide.Measurement;

/**
 * Tells a claim when its volume holds more than it has, and when it does no longer.
 *
 * @param source who tells it
 */
public record UsageReporter(EventSink events, String source) {
  /** The claim is told so when its volume holds more than it has. */
  static final String OVER = "VolumeOverSize";

  /** The claim is told so when that is over. */
  static final String WITHIN = "VolumeWithinSize";

  /** Tells that. */
  public void tell(Claim claim, Measurement now, Measurement.Report report) {
    String holds =
        "volume "
            + now.volume()
            + " holds "
            + now.bytes()
            + " bytes in "
            + now.files()
            + " files, and has "
            + now.capacity();
    switch (report) {
      case NOTHING -> {}
      case OVER ->
          events.tell(
              event(
                  claim,
                  ClusterEvent.Type.WARNING,
                  OVER,
                  holds + ": remove files, or let the claim ask for more"));
      case WITHIN -> events.tell(event(claim, ClusterEvent.Type.NORMAL, WITHIN, holds));
    }
  }

  private ClusterEvent event(Claim claim, ClusterEvent.Type type, String reason, String note) {
    return new ClusterEvent(Kind.CLAIM, claim.meta(), type, reason, "Measuring", note, source);
  }
}
