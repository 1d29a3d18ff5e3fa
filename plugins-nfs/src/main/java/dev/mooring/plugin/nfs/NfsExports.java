package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.RelativePath;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

record NfsExports(List<NfsExport> all) {
  private static final String SYNTAX =
      "SERVER:/EXPORT=/MOUNT, separated by commas, for example 10.0.0.1:/srv/k8s=/mnt/k8s";

  static NfsExports of(String setting, boolean mustBeMounted) {
    List<NfsExport> all = new ArrayList<>();
    for (String one : setting.isEmpty() ? new String[0] : setting.split(",", -1)) {
      all.add(export(one.strip(), mustBeMounted));
    }
    return new NfsExports(List.copyOf(all));
  }

  private static NfsExport export(String entry, boolean mustBeMounted) {
    int slash = entry.indexOf(":/"); // an IPv6 address contains colons
    int equals = entry.indexOf("=/", slash + 1);
    if (slash < 1 || equals < 0) {
      throw new IllegalArgumentException("nfs-exports \"" + entry + "\" is invalid: use " + SYNTAX);
    }
    try {
      return new NfsExport(
          entry.substring(0, slash),
          canonical(entry.substring(slash + 1, equals)),
          Path.of(entry.substring(equals + 1)).normalize(),
          mustBeMounted);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "nfs-exports \"" + entry + "\" has no usable path: " + e.getReason(), e);
    }
  }

  static String canonical(String path) {
    String single = path.replaceAll("/+", "/");
    return single.endsWith("/") ? single.substring(0, single.length() - 1) : single;
  }

  NfsExport select(NfsParameters parameters) {
    List<NfsExport> fitting =
        all.stream()
            .filter(e -> parameters.server().isEmpty() || e.server().equals(parameters.server()))
            .filter(e ->
                parameters.share().isEmpty()
                    || canonical(e.share()).equals(canonical(parameters.share())))
            .toList();
    if (fitting.size() == 1) {
      return fitting.getFirst();
    }
    throw new IllegalArgumentException(
        "%s server \"%s\" and share \"%s\": set the class's parameters server and share to one of %s"
            .formatted(
                fitting.isEmpty() ? "no export matches" : "several exports match",
                parameters.server(),
                parameters.share(),
                all));
  }

  Optional<NfsExport> findHolding(String server, String path) {
    return all.stream()
        .filter(e -> e.holds(server, path))
        .max(Comparator.comparingInt(e -> e.share().length()));
  }

  /**
   * Returns an export inside the given export that contains the given path or lies below it. Each
   * export has its own records, so neither protects the volumes of the other.
   */
  Optional<NfsExport> findOverlapping(NfsExport export, RelativePath path) {
    String onServer = export.onServer(path);
    return all.stream()
        .filter(export::encloses)
        .filter(inner ->
            (onServer + "/").startsWith(inner.share() + "/")
                || (inner.share() + "/").startsWith(onServer + "/"))
        .findFirst();
  }
}
