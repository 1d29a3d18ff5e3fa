package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.PathRejectedException;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * Parameters of a StorageClass.
 *
 * @param server NFS server, "" for the only configured export
 * @param share exported path, "" for the only configured export
 * @param pattern path of new directories; empty for {@code namespace-claim-volume}
 * @param onDelete action when a volume is deleted
 * @param reuseRetained whether to reuse a directory that an earlier volume of the same namespace
 *     left
 * @param mode permissions of new directories
 * @param uid owner of new directories; empty for the user of this process
 * @param gid group of new directories; empty for the default group
 */
record NfsParameters(
    String server,
    String share,
    Optional<SubdirPattern> pattern,
    OnDelete onDelete,
    boolean reuseRetained,
    Set<PosixFilePermission> mode,
    OptionalInt uid,
    OptionalInt gid) {
  private static final Set<String> KNOWN =
      Set.of(
          "server",
          "share",
          "pathPattern",
          "onDelete",
          "archiveOnDelete",
          "reuseRetained",
          "mode",
          "uid",
          "gid");
  private static final int ALL = 0777;

  static NfsParameters of(Map<String, String> given) {
    for (String name : new TreeSet<>(given.keySet())) {
      if (!KNOWN.contains(name)) {
        throw new IllegalArgumentException(
            "parameter \"" + name + "\" is unknown: use one of " + new TreeSet<>(KNOWN));
      }
    }
    Optional<SubdirPattern> pattern = pattern(given.getOrDefault("pathPattern", ""));
    OnDelete onDelete =
        OnDelete.of(given.getOrDefault("onDelete", ""), given.getOrDefault("archiveOnDelete", ""));
    boolean reuses =
        onDelete == OnDelete.RETAIN && pattern.filter(SubdirPattern::isNamespacesOwn).isPresent();
    return new NfsParameters(
        given.getOrDefault("server", ""),
        given.getOrDefault("share", ""),
        pattern,
        onDelete,
        flag(given, "reuseRetained", reuses),
        mode(given.getOrDefault("mode", "0777")),
        number(given, "uid"),
        number(given, "gid"));
  }

  private static Optional<SubdirPattern> pattern(String written) {
    try {
      return written.isEmpty() ? Optional.empty() : Optional.of(SubdirPattern.of(written));
    } catch (PathRejectedException e) {
      throw new IllegalArgumentException(e.reason(), e);
    }
  }

  private static boolean flag(Map<String, String> given, String name, boolean otherwise) {
    return switch (given.getOrDefault(name, Boolean.toString(otherwise))) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              name + " \"" + given.get(name) + "\" is unknown: use true or false");
    };
  }

  private static Set<PosixFilePermission> mode(String written) {
    int bits;
    try {
      bits = Integer.parseInt(written, 8);
    } catch (NumberFormatException e) {
      bits = -1;
    }
    if (bits < 0 || bits > ALL) {
      throw new IllegalArgumentException(
          "mode \"" + written + "\" is invalid: use octal permissions, for example 0770");
    }
    Set<PosixFilePermission> mode = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] all =
        PosixFilePermission.values(); // the enum starts with the owner's read permission
    for (int i = 0; i < all.length; i++) {
      if ((bits & 0400 >> i) != 0) {
        mode.add(all[i]);
      }
    }
    return mode;
  }

  private static OptionalInt number(Map<String, String> given, String name) {
    String written = given.get(name);
    if (written == null) {
      return OptionalInt.empty();
    }
    try {
      int number = Integer.parseInt(written);
      if (number >= 0) {
        return OptionalInt.of(number);
      }
    } catch (NumberFormatException none) {
      // also for negative numbers
    }
    throw new IllegalArgumentException(
        name + " \"" + written + "\" is invalid: use a number, for example 1000");
  }
}
