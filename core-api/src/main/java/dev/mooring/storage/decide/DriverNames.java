package dev.mooring.storage.decide;

import dev.mooring.model.Uid;
import java.util.regex.Pattern;

/**
 * How volumes, snapshots or groups of snapshots are called at drivers: for ever the same for one
 * object, because that is what drivers are idempotent by. A change concerns objects that nothing
 * was asked for yet; what was begun under another name has to be finished first.
 *
 * @param flags what the flags begin with that say so
 * @param prefix what names begin with
 * @param uidLength how much of the object's uid follows, without its dashes; -1 for all of it, with
 *     them
 */
public record DriverNames(String flags, String prefix, int uidLength) {
  private static final int LONGEST = 32; // hexadecimal digits of a uid
  private static final int SHORTEST = 8; // shorter ones would soon be the same for two
  private static final Pattern PREFIX = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,198}[a-z0-9])?");

  /** The sidecar's, of volumes: each is made for a claim. */
  public static final DriverNames OF_VOLUMES = new DriverNames("--volume-name", "pvc", -1);

  /** The sidecar's, of snapshots: each is made for a VolumeSnapshot. */
  public static final DriverNames OF_SNAPSHOTS = new DriverNames("--snapshot-name", "snapshot", -1);

  /** The sidecar's, of groups of snapshots: each is made for a VolumeGroupSnapshot. */
  public static final DriverNames OF_GROUPS =
      new DriverNames("--groupsnapshot-name", "groupsnapshot", -1);

  /**
   * Checked.
   *
   * @throws IllegalArgumentException naming the flag that cannot be
   */
  public DriverNames {
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

  /**
   * Names of the same things that are made otherwise.
   *
   * @throws IllegalArgumentException naming the flag that cannot be
   */
  public DriverNames with(String otherPrefix, int otherLength) {
    return new DriverNames(flags, otherPrefix, otherLength);
  }

  /** The name of what is made for the object of that uid. */
  public String of(Uid object) {
    String uid = object.toString();
    String plain = uid.replace("-", "");
    return prefix
        + "-"
        + (uidLength < 0 ? uid : plain.substring(0, Math.min(uidLength, plain.length())));
  }

  /** Whether what is called so is one that was made for the object, under whatever prefix. */
  public static boolean isOf(Uid object, String name) {
    String uid = object.toString();
    String tail = name.substring(name.lastIndexOf('-') + 1);
    return name.endsWith("-" + uid)
        || tail.length() >= SHORTEST && uid.replace("-", "").startsWith(tail);
  }
}
