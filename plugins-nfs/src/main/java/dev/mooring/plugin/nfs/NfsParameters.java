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
  private static final Set<String> KNOWN_NAMES =
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
  private static final int ALL_PERMISSIONS = 0777;

  static NfsParameters of(Map<String, String> parameters) {
    for (String name : new TreeSet<>(parameters.keySet())) {
      if (!KNOWN_NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "parameter \"" + name + "\" is unknown: use one of " + new TreeSet<>(KNOWN_NAMES));
      }
    }
    Optional<SubdirPattern> pattern = parsePattern(parameters.getOrDefault("pathPattern", ""));
    OnDelete onDelete =
        OnDelete.of(
            parameters.getOrDefault("onDelete", ""),
            parameters.getOrDefault("archiveOnDelete", ""));
    boolean reusesByDefault =
        onDelete == OnDelete.RETAIN
            && pattern.filter(SubdirPattern::isExclusiveToNamespace).isPresent();
    return new NfsParameters(
        parameters.getOrDefault("server", ""),
        parameters.getOrDefault("share", ""),
        pattern,
        onDelete,
        readFlag(parameters, "reuseRetained", reusesByDefault),
        parseMode(parameters.getOrDefault("mode", "0777")),
        readNumber(parameters, "uid"),
        readNumber(parameters, "gid"));
  }

  private static Optional<SubdirPattern> parsePattern(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(SubdirPattern.of(text));
    } catch (PathRejectedException e) {
      throw new IllegalArgumentException(e.reason(), e);
    }
  }

  private static boolean readFlag(
      Map<String, String> parameters, String name, boolean defaultValue) {
    return switch (parameters.getOrDefault(name, Boolean.toString(defaultValue))) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              name + " \"" + parameters.get(name) + "\" is unknown: use true or false");
    };
  }

  private static Set<PosixFilePermission> parseMode(String text) {
    int bits;
    try {
      bits = Integer.parseInt(text, 8);
    } catch (NumberFormatException e) {
      bits = -1;
    }
    if (bits < 0 || bits > ALL_PERMISSIONS) {
      throw new IllegalArgumentException(
          "mode \"" + text + "\" is invalid: use octal permissions, for example 0770");
    }
    Set<PosixFilePermission> mode = EnumSet.noneOf(PosixFilePermission.class);
    PosixFilePermission[] permissions =
        PosixFilePermission.values(); // the enum starts with the owner's read permission
    for (int i = 0; i < permissions.length; i++) {
      if ((bits & 0400 >> i) != 0) {
        mode.add(permissions[i]);
      }
    }
    return mode;
  }

  private static OptionalInt readNumber(Map<String, String> parameters, String name) {
    String text = parameters.get(name);
    if (text == null) {
      return OptionalInt.empty();
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= 0) {
        return OptionalInt.of(number);
      }
    } catch (NumberFormatException e) {
      // also for negative numbers
    }
    throw new IllegalArgumentException(
        name + " \"" + text + "\" is invalid: use a number, for example 1000");
  }
}
