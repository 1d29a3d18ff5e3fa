package dev.mooring.provisioner.decide;

import dev.mooring.model.Uid;
import java.util.regex.Pattern;

/**
 * How volumes are called: for ever the same for one claim, because that is what drivers are
 * idempotent by. A change concerns claims that nothing was asked for yet; what was begun under
 * another name has to be finished first.
 *
 * @param prefix what names begin with
 * @param uidLength how much of the claim's uid follows, without its dashes; -1 for all of it, with
 *     them
 */
public record VolumeNames(String prefix, int uidLength) {
  private static final int LONGEST = 32; // hexadecimal digits of a uid
  private static final int SHORTEST = 8; // with fewer, two claims would have one volume some day
  private static final Pattern PREFIX = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,198}[a-z0-9])?");

  /** The sidecar's. */
  public static final VolumeNames DEFAULTS = new VolumeNames("pvc", -1);

  /**
   * Checked.
   *
   * @throws IllegalArgumentException naming the flag that cannot be
   */
  public VolumeNames {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "--volume-name-prefix must be lower-case letters, digits, dashes and dots, was \""
              + prefix
              + "\"");
    }
    if (uidLength != -1 && (uidLength < SHORTEST || uidLength > LONGEST)) {
      throw new IllegalArgumentException(
          "--volume-name-uuid-length must be from "
              + SHORTEST
              + " to "
              + LONGEST
              + ", or -1 for the whole of it, was "
              + uidLength);
    }
  }

  /** The name of the volume that is made for a claim. */
  public String of(Uid claim) {
    String uid = claim.toString();
    String plain = uid.replace("-", "");
    return prefix
        + "-"
        + (uidLength < 0 ? uid : plain.substring(0, Math.min(uidLength, plain.length())));
  }

  /** Whether a volume of that name is one that was made for the claim, under whatever prefix. */
  static boolean isOf(Uid claim, String volume) {
    String uid = claim.toString();
    String tail = volume.substring(volume.lastIndexOf('-') + 1);
    return volume.endsWith("-" + uid)
        || tail.length() >= SHORTEST && uid.replace("-", "").startsWith(tail);
  }
}
