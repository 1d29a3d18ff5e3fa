package dev.mooring.csi.decide;

import dev.mooring.model.Attachment;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A volume on a node in the driver's terms. The attacher records it with the VolumeAttachment
 * before it calls the driver. The recorded values win, because PersistentVolumes and CSINodes can
 * be re-created under their names with other values.
 *
 * @param handle the volume's handle, "" if not recorded
 * @param nodeId the node's id, "" if not recorded
 */
public record Publication(String handle, String nodeId) {
  /** The annotation of external-attacher for the node's id. */
  public static final String NODE_ID = "csi.alpha.kubernetes.io/node-id";

  public static final String VOLUME_HANDLE = "mooring.dev/volume-handle";

  private static final Pattern STANDARD_NAME = Pattern.compile("csi-[0-9a-f]{64}");

  /** What is recorded with the attachment. */
  public static Publication recorded(Attachment attachment) {
    return new Publication(
        attachment.meta().annotation(VOLUME_HANDLE), attachment.meta().annotation(NODE_ID));
  }

  /** What is recorded with the attachment, if both values are. */
  public static Optional<Publication> complete(Attachment attachment) {
    return Optional.of(recorded(attachment))
        .filter(recorded -> !recorded.handle.isEmpty() && !recorded.nodeId.isEmpty());
  }

  /** The recorded values; the current ones where none are recorded. */
  public Publication orElse(Publication current) {
    return new Publication(
        handle.isEmpty() ? current.handle : handle, nodeId.isEmpty() ? current.nodeId : nodeId);
  }

  /** Whether a recorded value differs from the current one. */
  public boolean differs(Publication current) {
    return !orElse(current).equals(current);
  }

  /** Whether the name is the standard one for another handle. */
  public static boolean isNamedForAnother(Attachment attachment, String handle) {
    String name = attachment.meta().name();
    return STANDARD_NAME.matcher(name).matches()
        && !name.equals(Attachment.nameOf(attachment.attacher(), handle, attachment.nodeName()));
  }
}
