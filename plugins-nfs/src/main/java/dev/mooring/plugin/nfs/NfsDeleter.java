package dev.mooring.plugin.nfs;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.Optional;

/**
 * Removes, archives or retains a volume's directory as decided at creation (spec/provisioner-lib.md
 * 10 and 11.1). Changes no directory without a record for the volume. Thread-safe.
 */
final class NfsDeleter implements Deleter {
  private static final int LONGEST_NAME = 255;

  private final NfsExports exports;
  private final Optional<OnDelete> earlier;
  private final System.Logger log;

  /**
   * @param earlier action for directories that nfs-subdir-external-provisioner created; empty to
   *     leave them alone
   */
  NfsDeleter(NfsExports exports, Optional<OnDelete> earlier, System.Logger log) {
    this.exports = exports;
    this.earlier = earlier;
    this.log = log;
  }

  @Override
  public Attempt<Deleted> delete(Request request) {
    String server = request.source().attribute("server");
    String path = NfsExports.canonical(request.source().attribute("path"));
    Optional<NfsExport> export = exports.findHolding(server, path);
    if (export.isEmpty()) {
      return Attempt.rejected(
          "%s:%s lies in none of the exports %s: add its export to --plugin-setting nfs-exports"
              .formatted(server, path, exports.all()));
    }
    Optional<String> problem = export.get().problem();
    if (problem.isPresent()) {
      return new Attempt.Failed<>(new Failure.Unreachable(problem.get()));
    }
    try {
      ExportNames.volume(request.volumeName());
      return delete(request, export.get(), export.get().relative(path));
    } catch (PathRejectedException e) {
      return Attempt.rejected(e.reason());
    } catch (InvalidPathException e) {
      return Attempt.rejected("\"" + e.getInput() + "\" cannot be deleted: " + e.getReason());
    } catch (IllegalArgumentException e) {
      return Attempt.rejected(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(new Failure.Uncertain("interrupted"));
    } catch (IOException e) {
      return new Attempt.Failed<>(
          new Failure.Unreachable("removing " + server + ":" + path + " failed: " + e));
    }
  }

  private Attempt<Deleted> delete(Request request, NfsExport export, RelativePath path)
      throws IOException, InterruptedException, PathRejectedException {
    export.lock().lockInterruptibly();
    try {
      Optional<DirectoryRecords.Entry> known = export.records().of(request.volumeName());
      if (known.isEmpty()) {
        known = adopted(request.volumeName(), export, path);
      }
      if (known.isEmpty()) {
        return unknown(request, export, path);
      }
      DirectoryRecords.Entry entry = known.get();
      if (!entry.path().equals(path)) {
        return Attempt.rejected(
            "volume %s was created at \"%s\", not at \"%s\": nothing is deleted"
                .formatted(request.volumeName(), entry.path(), path));
      }
      OnDelete fate = fate(request, entry);
      Optional<String> kept = fate == OnDelete.RETAIN ? Optional.empty() : kept(export, path);
      if (kept.isPresent()) {
        return new Attempt.Failed<>(new Failure.InUse(kept.get()));
      }
      prepare(entry, fate, export);
      if (fate != OnDelete.DELETE) {
        return Attempt.done(new Deleted());
      }
    } finally {
      export.lock().unlock();
    }
    return remove(request, export);
  }

  private Optional<String> kept(NfsExport export, RelativePath path) throws IOException {
    Optional<NfsExport> inner = exports.findOverlapping(export, path);
    List<String> below = export.records().below(path);
    return inner.isEmpty() && below.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the directory \"%s\" is kept while the directories of other volumes lie in it: %s"
                .formatted(
                    path,
                    inner
                        .map(e -> "directories of export " + e)
                        .orElseGet(() -> String.join(", ", below))));
  }

  private static OnDelete fate(Request request, DirectoryRecords.Entry entry) {
    return request.annotations().containsKey(OnDelete.ANNOTATION)
        ? OnDelete.of(request.annotations().getOrDefault(OnDelete.ANNOTATION, ""), "")
        : entry.onDelete();
  }

  private static void prepare(DirectoryRecords.Entry entry, OnDelete fate, NfsExport export)
      throws IOException, PathRejectedException {
    RelativePath path = entry.path();
    boolean ours =
        export.records().owner(path).filter(entry.volume()::equals).isPresent()
            && export.tree().exists(path);
    switch (fate) {
      case RETAIN -> {
        if (ours) {
          export.records().put(entry.left());
        } else {
          export
              .records()
              .remove(entry); // another volume owns the directory now, or it does not exist
        }
      }
      case ARCHIVE -> {
        if (ours) {
          export.tree().move(path, archive(path, entry.volume()));
        }
        export.records().remove(entry);
      }
      case DELETE -> {
        if (ours) {
          export.tree().discard(path, entry.volume());
        }
      }
    }
  }

  /**
   * Returns a record for a directory that nfs-subdir-external-provisioner created: its name ends
   * with the volume's name. Directories from a pattern without the name may have several owners and
   * are left alone.
   */
  private Optional<DirectoryRecords.Entry> adopted(
      String volume, NfsExport export, RelativePath path) throws IOException {
    if (earlier.isEmpty()
        || !path.name().endsWith("-" + volume)
        || export.records().owner(path).isPresent()
        || !export.tree().exists(path)) {
      return Optional.empty();
    }
    DirectoryRecords.Entry entry =
        new DirectoryRecords.Entry(volume, path, "", earlier.get(), false);
    export.records().put(entry);
    return Optional.of(entry);
  }

  // Deletes without the lock because a large directory takes long.
  private static Attempt<Deleted> remove(Request request, NfsExport export)
      throws IOException, InterruptedException {
    export.tree().removeDiscarded(request.volumeName());
    export.lock().lockInterruptibly();
    try {
      Optional<DirectoryRecords.Entry> entry = export.records().of(request.volumeName());
      if (entry.isPresent()) {
        export.records().remove(entry.get());
      }
      return Attempt.done(new Deleted());
    } finally {
      export.lock().unlock();
    }
  }

  private Attempt<Deleted> unknown(Request request, NfsExport export, RelativePath path)
      throws IOException {
    Optional<String> owner = export.records().owner(path);
    if (owner.isPresent() || !export.tree().exists(path)) {
      log.log(
          System.Logger.Level.WARNING,
          () ->
              "the directory \"%s\" of volume %s%s"
                  .formatted(
                      path,
                      request.volumeName(),
                      owner
                          .map(o -> " belongs to volume " + o + " now")
                          .orElse(" does not exist")));
      return Attempt.done(new Deleted());
    }
    return Attempt.rejected(
        "the directory \"%s\" of %s was not created by this plugin for volume %s: it is left alone; remove it by hand if it is not needed, then the volume is deleted"
            .formatted(path, export, request.volumeName()));
  }

  private static RelativePath archive(RelativePath path, String volume)
      throws PathRejectedException {
    String flat = path.toString().replace('/', '-');
    String name = ExportNames.ARCHIVED + (flat.endsWith(volume) ? flat : flat + "-" + volume);
    return RelativePath.of(
        name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME
            ? ExportNames.ARCHIVED + volume
            : name);
  }
}
