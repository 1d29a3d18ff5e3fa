package dev.mooring.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A VolumeAttachment.
 *
 * @param meta name, version, finalizers, annotations
 * @param attacher name of the CSI driver
 * @param volumeName name of the PersistentVolume; "" for an inline volume
 * @param inline the inline volume; {@link InlineVolume#NONE} for a PersistentVolume
 * @param nodeName name of the node
 * @param attached whether the driver reports the volume as attached
 * @param attachError last attach error; "" if none
 * @param detachError last detach error; "" if none
 */
public record Attachment(
    Meta meta,
    String attacher,
    String volumeName,
    InlineVolume inline,
    String nodeName,
    boolean attached,
    String attachError,
    String detachError)
    implements Resource {
  /** Volume that a pod names without a PersistentVolume, in the form for its CSI driver. */
  public record InlineVolume(VolumeSource source, AccessModes accessModes) {
    public static final InlineVolume NONE = new InlineVolume(VolumeSource.NONE, AccessModes.NONE);
  }

  /** Returns the name that Kubernetes generates for the attachment of a CSI volume to a node. */
  public static String nameOf(String driver, String handle, String node) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest((handle + driver + node).getBytes(StandardCharsets.UTF_8));
      return "csi-" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
