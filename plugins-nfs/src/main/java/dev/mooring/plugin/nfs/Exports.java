package dev.mooring.plugin.nfs;

import dev.mooring.spi.files.RelativePath;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The exports that are mounted here. */
record Exports(List<Export> all) {
  private static final String FORM =
      "SERVER:/EXPORT=/MOUNT, several with commas between them, for example 10.0.0.1:/srv/k8s=/mnt/k8s";

  /**
   * Reads the setting {@code nfs-exports}; "" for none.
   *
   * @throws IllegalArgumentException naming the setting, its value and the form
   */
  static Exports of(String written, boolean mustBeMounted) {
    List<Export> all = new ArrayList<>();
    for (String one : written.isEmpty() ? new String[0] : written.split(",", -1)) {
      all.add(export(one.strip(), mustBeMounted));
    }
    return new Exports(List.copyOf(all));
  }

  private static Export export(String written, boolean mustBeMounted) {
    int slash = written.indexOf(":/"); // an IPv6 address has colons of its own
    int equals = written.indexOf("=/", slash + 1);
    if (slash < 1 || equals < 0) {
      throw new IllegalArgumentException(
          "nfs-exports \"" + written + "\" is not understood: name " + FORM);
    }
    try {
      return new Export(
          written.substring(0, slash),
          canonical(written.substring(slash + 1, equals)),
          Path.of(written.substring(equals + 1)).normalize(),
          mustBeMounted);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "nfs-exports \"" + written + "\" has no usable path: " + e.getReason(), e);
    }
  }

  /** Without repeated slashes, and without one at the end. */
  static String canonical(String path) {
    String single = path.replaceAll("/+", "/");
    return single.endsWith("/") ? single.substring(0, single.length() - 1) : single;
  }

  /**
   * The export that a class names, or the only one.
   *
   * @throws IllegalArgumentException if there is none, or several that it may be
   */
  Export chosen(NfsParameters parameters) {
    List<Export> fitting =
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
        (fitting.isEmpty() ? "no export fits" : "several exports fit")
            + " server \""
            + parameters.server()
            + "\" and share \""
            + parameters.share()
            + "\": the class must name one of "
            + all
            + " by its parameters server and share");
  }

  /** The innermost export that has a path of a server. */
  Optional<Export> holding(String server, String path) {
    return all.stream()
        .filter(e -> e.holds(server, path))
        .max(Comparator.comparingInt(e -> e.share().length()));
  }

  /**
   * Another export around a path of this one, or in it. The records of one do not have the volumes
   * of the other.
   */
  Optional<Export> conflicting(Export export, RelativePath path) {
    String onServer = export.onServer(path);
    return all.stream()
        .filter(export::encloses)
        .filter(inner ->
            (onServer + "/").startsWith(inner.share() + "/")
                || (inner.share() + "/").startsWith(onServer + "/"))
        .findFirst();
  }
}
