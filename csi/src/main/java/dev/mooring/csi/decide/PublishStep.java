package dev.mooring.csi.decide;

/** Next CSI call for a VolumeAttachment. */
public sealed interface PublishStep {
  record NoAction() implements PublishStep {}

  // No call: the driver does not publish volumes, so the attachment is reported as attached.
  record Attached() implements PublishStep {}

  record Publish() implements PublishStep {}

  record Unpublish() implements PublishStep {}
}
