package dev.mooring.csi.decide;

/** What a driver is asked for a VolumeAttachment. */
public sealed interface PublishDecision {
  /** Nothing, until something changes. */
  record Rest() implements PublishDecision {}

  /** Nothing: the driver publishes no volumes, and so it is attached. */
  record Attached() implements PublishDecision {}

  /** To publish the volume on the node. */
  record Publish() implements PublishDecision {}

  /** To take the volume from the node. */
  record Unpublish() implements PublishDecision {}
}
