package dev.mooring.csi.decide;

import dev.mooring.model.Uid;
import java.util.regex.Pattern;

/**
 * How snapshots, or groups of them, are called: for ever the same for one VolumeSnapshot or
 * VolumeGroupSnapshot, because that is what drivers are idempotent by.
 *
 * @param flags what the flags begin with that say so
 * @param prefix what names begin with
 * @param uidLength how much of the snapshot's uid follows, without its dashes; -1 for all of it,
 *     with them
 */
public record SnapshotNames(String flags, String prefix, int uidLength) {
  private static final int SHORTEST = 8; // shorter ones would soon be the same for two
  private static final int LONGEST = 32; // hexadecimal digits of a uid
  private static final Pattern PREFIX = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,198}[a-z0-9])?");

  /** The sidecar's. */
  public static final SnapshotNames DEFAULTS = ofSnapshots("snapshot", -1);

  /** The sidecar's, of groups. */
  public static final SnapshotNames OF_GROUPS = ofGroups("groupsnapshot", -1);

  /**
   * Of snapshots.
   *
   * @throws IllegalArgumentException naming the flag that cannot be
   */
  public static SnapshotNames ofSnapshots(String prefix, int uidLength) {
    return new SnapshotNames("--snapshot-name", prefix, uidLength);
  }

  /**
   * Of groups.
   *
   * @throws IllegalArgumentException naming the flag that cannot be
   */
  public static SnapshotNames ofGroups(String prefix, int uidLength) {
    return new SnapshotNames("--groupsnapshot-name", prefix, uidLength);
  }

  /**
   * Checked.
   *
   * @throws IllegalArgumentException naming the flag that cannot be
   */
  public SnapshotNames {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          flags
              + "-prefix must be lower-case letters, digits, dashes and dots, was \""
              + prefix
              + "\"");
    }
    if (uidLength != -1 && (uidLength < SHORTEST || uidLength > LONGEST)) {
      throw new IllegalArgumentException(
          flags
              + "-uuid-length must be from "
              + SHORTEST
              + " to "
              + LONGEST
              + ", or -1 for the whole of it, was "
              + uidLength);
    }
  }

  /** The name of what is made for the VolumeSnapshot or VolumeGroupSnapshot of that uid. */
  public String of(Uid snapshot) {
    String uid = snapshot.toString();
    String plain = uid.replace("-", "");
    return prefix
        + "-"
        + (uidLength < 0 ? uid : plain.substring(0, Math.min(uidLength, plain.length())));
  }
}
