package dev.mooring.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A VolumeAttachment.
 *
 * @param meta name, version, finalizers, annotations
 * @param attacher the driver that attaches
 * @param volumeName the PersistentVolume, "" for an inline volume
 * @param nodeName the node
 * @param attached whether the driver reports it attached
 * @param attachError the last attach error, "" for none
 * @param detachError the last detach error, "" for none
 */
public record Attachment(
    Meta meta,
    String attacher,
    String volumeName,
    String nodeName,
    boolean attached,
    String attachError,
    String detachError)
    implements Resource {
  /** The name that Kubernetes gives the attachment of a driver's volume to a node. */
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
