package dev.mooring.storage.decide;

import dev.mooring.model.Uid;
import java.util.regex.Pattern;

/**
 * Names of volumes, snapshots and group snapshots at CSI drivers. Drivers are idempotent by these
 * names, so the name of one object must never change. New settings may apply only to objects
 * without any call so far; calls under another name must first be completed.
 *
 * @param flags common prefix of the flags that set the format
 * @param prefix prefix of the names
 * @param uidLength digits of the object's uid, without dashes; -1 for the whole uid with dashes
 */
public record DriverNames(String flags, String prefix, int uidLength) {
  private static final int LONGEST = 32; // hexadecimal digits of a uid
  private static final int SHORTEST = 8; // fewer digits would collide
  private static final Pattern PREFIX = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,198}[a-z0-9])?");

  /** Format of external-provisioner; the uid is the claim's. */
  public static final DriverNames OF_VOLUMES = new DriverNames("--volume-name", "pvc", -1);

  public static final DriverNames OF_SNAPSHOTS = new DriverNames("--snapshot-name", "snapshot", -1);

  public static final DriverNames OF_GROUPS =
      new DriverNames("--groupsnapshot-name", "groupsnapshot", -1);

  public DriverNames {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "%s-prefix must be lower-case letters, digits, dashes and dots, was \"%s\""
              .formatted(flags, prefix));
    }
    if (uidLength != -1 && (uidLength < SHORTEST || uidLength > LONGEST)) {
      throw new IllegalArgumentException(
          "%s-uuid-length must be from %s to %s, or -1 for the whole uid, was %s"
              .formatted(flags, SHORTEST, LONGEST, uidLength));
    }
  }

  public DriverNames with(String otherPrefix, int otherLength) {
    return new DriverNames(flags, otherPrefix, otherLength);
  }

  public String of(Uid object) {
    String uid = object.toString();
    String plain = uid.replace("-", "");
    return prefix
        + "-"
        + (uidLength < 0 ? uid : plain.substring(0, Math.min(uidLength, plain.length())));
  }

  public static boolean isOf(Uid object, String name) {
    String uid = object.toString();
    String tail = name.substring(name.lastIndexOf('-') + 1);
    return name.endsWith("-" + uid)
        || tail.length() >= SHORTEST && uid.replace("-", "").startsWith(tail);
  }
}
