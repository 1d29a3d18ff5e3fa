package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.RelativePath;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

record NfsExports(List<NfsExport> all) {
  private static final String FORM =
      "SERVER:/EXPORT=/MOUNT, separated by commas, for example 10.0.0.1:/srv/k8s=/mnt/k8s";

  static NfsExports of(String written, boolean mustBeMounted) {
    List<NfsExport> all = new ArrayList<>();
    for (String one : written.isEmpty() ? new String[0] : written.split(",", -1)) {
      all.add(export(one.strip(), mustBeMounted));
    }
    return new NfsExports(List.copyOf(all));
  }

  private static NfsExport export(String written, boolean mustBeMounted) {
    int slash = written.indexOf(":/"); // an IPv6 address contains colons
    int equals = written.indexOf("=/", slash + 1);
    if (slash < 1 || equals < 0) {
      throw new IllegalArgumentException("nfs-exports \"" + written + "\" is invalid: use " + FORM);
    }
    try {
      return new NfsExport(
          written.substring(0, slash),
          canonical(written.substring(slash + 1, equals)),
          Path.of(written.substring(equals + 1)).normalize(),
          mustBeMounted);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "nfs-exports \"" + written + "\" has no usable path: " + e.getReason(), e);
    }
  }

  static String canonical(String path) {
    String single = path.replaceAll("/+", "/");
    return single.endsWith("/") ? single.substring(0, single.length() - 1) : single;
  }

  NfsExport chosen(NfsParameters parameters) {
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

  Optional<NfsExport> holding(String server, String path) {
    return all.stream()
        .filter(e -> e.holds(server, path))
        .max(Comparator.comparingInt(e -> e.share().length()));
  }

  /**
   * Returns another export that contains a path of this one, or lies below it. Each export has its
   * own records, so neither protects the volumes of the other.
   */
  Optional<NfsExport> conflicting(NfsExport export, RelativePath path) {
    String onServer = export.onServer(path);
    return all.stream()
        .filter(export::encloses)
        .filter(inner ->
            (onServer + "/").startsWith(inner.share() + "/")
                || (inner.share() + "/").startsWith(onServer + "/"))
        .findFirst();
  }
}
