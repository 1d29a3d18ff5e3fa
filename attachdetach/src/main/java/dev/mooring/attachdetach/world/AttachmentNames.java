package dev.mooring.attachdetach.world;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.model.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The names of VolumeAttachments, as Kubernetes makes them. */
public final class AttachmentNames {
  private AttachmentNames() {}

  /** The name of the VolumeAttachment of a volume on a node. */
  public static ObjectKey of(VolumeId.Csi volume, String node) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest((volume.handle() + volume.driver() + node).getBytes(StandardCharsets.UTF_8));
      return ObjectKey.cluster("csi-" + HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
