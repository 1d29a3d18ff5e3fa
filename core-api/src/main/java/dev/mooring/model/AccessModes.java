package dev.mooring.model;

import java.util.List;

/**
 * Access modes of a claim or volume.
 *
 * @param written all modes in their order, including duplicates and unknown ones, because a claim's
 *     status copies the list
 * @param mask known modes as a bit set
 */
public record AccessModes(List<String> written, int mask) {
  public static final int READ_WRITE_ONCE = 1;
  public static final int READ_ONLY_MANY = 2;
  public static final int READ_WRITE_MANY = 4;
  public static final int READ_WRITE_ONCE_POD = 8;

  public static final int MASKS = 16;

  public static final AccessModes NONE = new AccessModes(List.of(), 0);

  private static final AccessModes RWO = new AccessModes(List.of("ReadWriteOnce"), READ_WRITE_ONCE);
  private static final AccessModes RWX = new AccessModes(List.of("ReadWriteMany"), READ_WRITE_MANY);

  /**
   * Parses a list of modes. Unknown modes are kept in the list but not in the mask, as in
   * Kubernetes' volume index.
   */
  public static AccessModes of(List<String> modes) {
    if (modes.equals(RWO.written)) {
      return RWO;
    }
    if (modes.equals(RWX.written)) {
      return RWX;
    }
    int mask = 0;
    for (String modeName : modes) {
      mask |=
          switch (modeName) {
            case "ReadWriteOnce" -> READ_WRITE_ONCE;
            case "ReadOnlyMany" -> READ_ONLY_MANY;
            case "ReadWriteMany" -> READ_WRITE_MANY;
            case "ReadWriteOncePod" -> READ_WRITE_ONCE_POD;
            default -> 0;
          };
    }
    return mask == 0 && modes.isEmpty() ? NONE : new AccessModes(List.copyOf(modes), mask);
  }

  public static AccessModes of(String... modes) {
    return of(List.of(modes));
  }

  public boolean offers(AccessModes request) {
    return (mask & request.mask) == request.mask;
  }

  @Override
  public String toString() {
    return String.join(",", written);
  }
}
