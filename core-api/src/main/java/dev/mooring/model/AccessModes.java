package dev.mooring.model;

import java.util.List;

/**
 * How a volume may be mounted: the list as written, and the set it stands for.
 *
 * @param written the modes in their order, repeats and unknown ones included: a claim's status
 *     copies it
 * @param mask the known modes as a bit set
 */
public record AccessModes(List<String> written, int mask) {
  public static final int READ_WRITE_ONCE = 1;
  public static final int READ_ONLY_MANY = 2;
  public static final int READ_WRITE_MANY = 4;
  public static final int READ_WRITE_ONCE_POD = 8;

  /** How many different masks there are. */
  public static final int MASKS = 16;

  /** No mode. */
  public static final AccessModes NONE = new AccessModes(List.of(), 0);

  private static final AccessModes RWO = new AccessModes(List.of("ReadWriteOnce"), READ_WRITE_ONCE);
  private static final AccessModes RWX = new AccessModes(List.of("ReadWriteMany"), READ_WRITE_MANY);

  /**
   * The modes of such a list; unknown names stay in {@code written} and out of the set, as
   * upstream's index does it.
   */
  public static AccessModes of(List<String> written) {
    if (written.equals(RWO.written)) {
      return RWO;
    }
    if (written.equals(RWX.written)) {
      return RWX;
    }
    int mask = 0;
    for (String mode : written) {
      mask |=
          switch (mode) {
            case "ReadWriteOnce" -> READ_WRITE_ONCE;
            case "ReadOnlyMany" -> READ_ONLY_MANY;
            case "ReadWriteMany" -> READ_WRITE_MANY;
            case "ReadWriteOncePod" -> READ_WRITE_ONCE_POD;
            default -> 0;
          };
    }
    return mask == 0 && written.isEmpty() ? NONE : new AccessModes(List.copyOf(written), mask);
  }

  /** The modes of such a list. */
  public static AccessModes of(String... written) {
    return of(List.of(written));
  }

  /** Whether every mode that {@code request} names is offered here. */
  public boolean offers(AccessModes request) {
    return (mask & request.mask) == request.mask;
  }

  @Override
  public String toString() {
    return String.join(",", written);
  }
}
