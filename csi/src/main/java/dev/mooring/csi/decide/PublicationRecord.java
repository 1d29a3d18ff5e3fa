package dev.mooring.csi.decide;

import dev.mooring.model.Attachment;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Volume and node in the driver's terms. The attacher records both with the VolumeAttachment before
 * it calls the driver. Recorded values win, because PersistentVolumes and CSINodes can be
 * re-created under their names with other values.
 *
 * @param handle the volume's handle; "" if not recorded
 * @param nodeId the node's id; "" if not recorded
 */
public record PublicationRecord(String handle, String nodeId) {
  // Annotation of external-attacher with the node's id.
  public static final String NODE_ID = "csi.alpha.kubernetes.io/node-id";

  public static final String VOLUME_HANDLE = "mooring.dev/volume-handle";

  private static final Pattern STANDARD_NAME = Pattern.compile("csi-[0-9a-f]{64}");

  public static PublicationRecord read(Attachment attachment) {
    return new PublicationRecord(
        attachment.meta().annotation(VOLUME_HANDLE), attachment.meta().annotation(NODE_ID));
  }

  public static Optional<PublicationRecord> readComplete(Attachment attachment) {
    return Optional.of(read(attachment))
        .filter(recorded -> !recorded.handle.isEmpty() && !recorded.nodeId.isEmpty());
  }

  public PublicationRecord orElse(PublicationRecord current) {
    return new PublicationRecord(
        handle.isEmpty() ? current.handle : handle, nodeId.isEmpty() ? current.nodeId : nodeId);
  }

  public boolean differsFrom(PublicationRecord current) {
    return !orElse(current).equals(current);
  }

  public static boolean isNamedForOtherHandle(Attachment attachment, String handle) {
    String name = attachment.meta().name();
    return STANDARD_NAME.matcher(name).matches()
        && !name.equals(Attachment.nameOf(attachment.attacher(), handle, attachment.nodeName()));
  }
}
