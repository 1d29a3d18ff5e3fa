package dev.mooring.plugin.nfs;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

record NfsExports(List<NfsExport> list) {
  private static final String SYNTAX =
      "SERVER:/EXPORT=/MOUNT, separated by commas, for example 10.0.0.1:/srv/k8s=/mnt/k8s";

  interface DirectoryAction<T> {
    Attempt<T> run(NfsExport export, RelativePath directory)
        throws IOException, InterruptedException, PathRejectedException;
  }

  static NfsExports of(String setting, boolean mustBeMounted) {
    List<NfsExport> exports = new ArrayList<>();
    for (String entry : setting.isEmpty() ? new String[0] : setting.split(",", -1)) {
      exports.add(parseExport(entry.strip(), mustBeMounted));
    }
    return new NfsExports(List.copyOf(exports));
  }

  private static NfsExport parseExport(String entry, boolean mustBeMounted) {
    int colon = entry.indexOf(":/"); // an IPv6 address contains colons
    int equals = entry.indexOf("=/", colon + 1);
    if (colon < 1 || equals < 0) {
      throw new IllegalArgumentException("nfs-exports \"" + entry + "\" is invalid: use " + SYNTAX);
    }
    try {
      return new NfsExport(
          entry.substring(0, colon),
          canonicalPath(entry.substring(colon + 1, equals)),
          Path.of(entry.substring(equals + 1)).normalize(),
          mustBeMounted);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "nfs-exports \"" + entry + "\" has no usable path: " + e.getReason(), e);
    }
  }

  static String canonicalPath(String path) {
    String single = path.replaceAll("/+", "/");
    return single.endsWith("/") ? single.substring(0, single.length() - 1) : single;
  }

  NfsExport select(NfsParameters parameters) {
    List<NfsExport> matches =
        list.stream()
            .filter(e -> parameters.server().isEmpty() || e.server().equals(parameters.server()))
            .filter(e ->
                parameters.share().isEmpty()
                    || canonicalPath(e.share()).equals(canonicalPath(parameters.share())))
            .toList();
    if (matches.size() == 1) {
      return matches.getFirst();
    }
    throw new IllegalArgumentException(
        "%s server \"%s\" and share \"%s\": set the class's parameters server and share to one of %s"
            .formatted(
                matches.isEmpty() ? "no export matches" : "several exports match",
                parameters.server(),
                parameters.share(),
                list));
  }

  <T> Attempt<T> withDirectory(VolumeSource source, String participle, DirectoryAction<T> action) {
    String server = source.attribute("server");
    String path = canonicalPath(source.attribute("path"));
    Optional<NfsExport> export =
        list.stream()
            .filter(e -> e.contains(server, path))
            .max(Comparator.comparingInt(e -> e.share().length()));
    if (export.isEmpty()) {
      return Attempt.rejected(
          "%s:%s lies in none of the exports %s: add its export to --plugin-setting nfs-exports"
              .formatted(server, path, list));
    }
    Optional<String> problem = export.get().findProblem();
    if (problem.isPresent()) {
      return new Attempt.Failed<>(new Failure.Unreachable(problem.get()));
    }
    try {
      return action.run(export.get(), export.get().toRelativePath(path));
    } catch (PathRejectedException e) {
      return Attempt.rejected(e.reason());
    } catch (InvalidPathException e) {
      return Attempt.rejected(
          "\"%s\" cannot be %s: %s".formatted(e.getInput(), participle, e.getReason()));
    } catch (IllegalArgumentException e) {
      return Attempt.rejected(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(new Failure.Uncertain("interrupted"));
    } catch (IOException e) {
      return new Attempt.Failed<>(
          new Failure.Unreachable("%s:%s cannot be %s: %s".formatted(server, path, participle, e)));
    }
  }

  /**
   * Returns an export nested in the given export, whose path is above, at or below the given path.
   * Each export records only its own volumes. A deletion in one would not detect volumes of the
   * other.
   */
  Optional<NfsExport> findOverlapping(NfsExport export, RelativePath path) {
    String serverPath = export.pathOnServer(path);
    return list.stream()
        .filter(export::containsExport)
        .filter(inner ->
            (serverPath + "/").startsWith(inner.share() + "/")
                || (inner.share() + "/").startsWith(serverPath + "/"))
        .findFirst();
  }
}
