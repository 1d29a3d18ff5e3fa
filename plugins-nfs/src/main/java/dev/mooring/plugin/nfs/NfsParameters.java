package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.PathRefused;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * A StorageClass's parameters.
 *
 * @param server the NFS server, "" for the only export there is
 * @param share the export, "" for the only one there is
 * @param pattern where directories are made; empty for {@code namespace-claim-volume}
 * @param onDelete what becomes of them
 * @param reuseRetained whether a directory that an earlier volume of the same namespace has left is
 *     taken again
 * @param mode their permissions
 * @param uid their owner; empty for whoever runs this
 * @param gid their group
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

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException naming the parameter, its value and the remedy
   */
  static NfsParameters of(Map<String, String> given) {
    for (String name : new TreeSet<>(given.keySet())) {
      if (!KNOWN.contains(name)) {
        throw new IllegalArgumentException(
            "parameter \"" + name + "\" is not known: there are " + new TreeSet<>(KNOWN));
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
    } catch (PathRefused e) {
      throw new IllegalArgumentException(e.why(), e);
    }
  }

  private static boolean flag(Map<String, String> given, String name, boolean otherwise) {
    return switch (given.getOrDefault(name, Boolean.toString(otherwise))) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              name + " \"" + given.get(name) + "\" is not known: name true or false");
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
          "mode \"" + written + "\" is none: name octal permissions, for example 0770");
    }
    Set<PosixFilePermission> mode = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] all = PosixFilePermission.values(); // from the owner's read on
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
      // as a negative one
    }
    throw new IllegalArgumentException(
        name + " \"" + written + "\" is none: name a number, for example 1000");
  }
}
