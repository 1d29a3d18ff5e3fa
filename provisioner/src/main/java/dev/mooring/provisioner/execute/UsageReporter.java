package dev.mooring.provisioner.execute;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventSink;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.provisioner.decide.UsageMeasurement;

/**
 * Emits an event when a volume's usage exceeds its capacity, when it no longer does, and when
 * unreadable directories leave it unknown.
 *
 * @param source reporting component of the events
 */
public record UsageReporter(EventSink events, String source) {
  static final String OVER = "VolumeOverSize";

  static final String WITHIN = "VolumeWithinSize";

  static final String INCOMPLETE = "VolumeUsageIncomplete";

  public void emitEvent(Claim claim, UsageMeasurement current, UsageMeasurement.Report report) {
    String usage =
        "volume %s contains %s%s bytes in %s files, and its capacity is %s"
            .formatted(
                current.volume(),
                current.isLowerBound() ? "at least " : "",
                current.bytes(),
                current.files(),
                current.capacity());
    switch (report) {
      case NOTHING -> {}
      case OVER ->
          events.emit(
              createEvent(
                  claim,
                  ClusterEvent.Type.WARNING,
                  OVER,
                  usage + ": remove files, or request more in the claim"));
      case INCOMPLETE ->
          events.emit(
              createEvent(
                  claim,
                  ClusterEvent.Type.WARNING,
                  INCOMPLETE,
                  "%s: %s directories cannot be read by Mooring's user; run Mooring as a user that can (chart value nfs.runAsUser)"
                      .formatted(usage, current.unreadableDirectories())));
      case WITHIN -> events.emit(createEvent(claim, ClusterEvent.Type.NORMAL, WITHIN, usage));
    }
  }

  private ClusterEvent createEvent(
      Claim claim, ClusterEvent.Type type, String reason, String message) {
    return new ClusterEvent(Kind.CLAIM, claim.meta(), type, reason, "Measuring", message, source);
  }
}
