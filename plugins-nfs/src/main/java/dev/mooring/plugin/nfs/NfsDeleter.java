package dev.mooring.plugin.nfs;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Removes, archives or retains a volume's directory as decided at creation. Changes no directory
 * without a record for the volume. Thread-safe.
 */
final class NfsDeleter implements Deleter {
  private static final int MAX_NAME_BYTES = 255;

  private final NfsExports exports;
  private final Optional<OnDelete> earlierVolumesAction;
  private final System.Logger log;

  /**
   * @param earlierVolumesAction action for directories that nfs-subdir-external-provisioner
   *     created; empty to leave them alone
   */
  NfsDeleter(NfsExports exports, Optional<OnDelete> earlierVolumesAction, System.Logger log) {
    this.exports = exports;
    this.earlierVolumesAction = earlierVolumesAction;
    this.log = log;
  }

  @Override
  public Attempt<Deleted> delete(Request request) {
    return exports.withDirectory(
        request.source(),
        "deleted",
        (export, directory) -> {
          ExportNames.parseVolumeName(request.volumeName());
          return deleteLocked(request, export, directory);
        });
  }

  private Attempt<Deleted> deleteLocked(Request request, NfsExport export, RelativePath path)
      throws IOException, InterruptedException, PathRejectedException {
    if (request.annotations().containsKey(OnDelete.ANNOTATION)
        && export.records().isFolderMissing()) {
      return new Attempt.Failed<>(new Failure.Unreachable(export.describeMissingRecords()));
    }
    export.lock().lockInterruptibly();
    try {
      Optional<DirectoryRecords.Entry> storedEntry =
          export.records().findEntry(request.volumeName());
      if (storedEntry.isEmpty()) {
        storedEntry = adoptDirectory(request.volumeName(), export, path);
      }
      if (storedEntry.isEmpty()) {
        return deleteWithoutRecord(request, export, path);
      }
      DirectoryRecords.Entry entry = storedEntry.get();
      if (!entry.path().equals(path)) {
        return Attempt.rejected(
            "volume %s was created at \"%s\", not at \"%s\": nothing is deleted"
                .formatted(request.volumeName(), entry.path(), path));
      }
      OnDelete action = chooseAction(request, entry);
      Optional<String> innerVolumes =
          action == OnDelete.RETAIN ? Optional.empty() : describeInnerVolumes(export, path);
      if (innerVolumes.isPresent()) {
        return new Attempt.Failed<>(new Failure.InUse(innerVolumes.get()));
      }
      applyAction(entry, action, export);
      if (action != OnDelete.DELETE) {
        return Attempt.done(new Deleted());
      }
    } finally {
      export.lock().unlock();
    }
    return removeDiscarded(request, export);
  }

  private Optional<String> describeInnerVolumes(NfsExport export, RelativePath path)
      throws IOException {
    Optional<NfsExport> innerExport = exports.findOverlapping(export, path);
    List<String> volumesBelow = export.records().findVolumesBelow(path);
    return innerExport.isEmpty() && volumesBelow.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the directory \"%s\" is kept while the directories of other volumes lie in it: %s"
                .formatted(
                    path,
                    innerExport
                        .map(e -> "directories of export " + e)
                        .orElseGet(() -> String.join(", ", volumesBelow))));
  }

  private static OnDelete chooseAction(Request request, DirectoryRecords.Entry entry) {
    return request.annotations().containsKey(OnDelete.ANNOTATION)
        ? OnDelete.of(request.annotations().getOrDefault(OnDelete.ANNOTATION, ""), "")
        : entry.onDelete();
  }

  private static void applyAction(DirectoryRecords.Entry entry, OnDelete action, NfsExport export)
      throws IOException, PathRejectedException {
    RelativePath path = entry.path();
    boolean isOwner =
        export.records().findOwner(path).filter(entry.volume()::equals).isPresent()
            && export.tree().exists(path);
    switch (action) {
      case RETAIN -> {
        if (isOwner) {
          export.records().put(entry.withRetained(true));
        } else {
          export
              .records()
              .remove(entry); // another volume owns the directory now, or it does not exist
        }
      }
      case ARCHIVE -> {
        if (isOwner) {
          export.tree().move(path, chooseArchivePath(path, entry.volume(), export));
        }
        export.records().remove(entry);
      }
      case DELETE -> {
        if (isOwner) {
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
  private Optional<DirectoryRecords.Entry> adoptDirectory(
      String volume, NfsExport export, RelativePath path) throws IOException {
    if (earlierVolumesAction.isEmpty()
        || !path.name().endsWith("-" + volume)
        || export.records().findOwner(path).isPresent()
        || !export.tree().exists(path)) {
      return Optional.empty();
    }
    DirectoryRecords.Entry entry =
        new DirectoryRecords.Entry(volume, path, "", earlierVolumesAction.get(), false);
    export.records().put(entry);
    return Optional.of(entry);
  }

  // Deletes without the lock because a large directory takes long.
  private static Attempt<Deleted> removeDiscarded(Request request, NfsExport export)
      throws IOException, InterruptedException {
    export.tree().removeDiscarded(request.volumeName());
    export.lock().lockInterruptibly();
    try {
      Optional<DirectoryRecords.Entry> entry = export.records().findEntry(request.volumeName());
      if (entry.isPresent()) {
        export.records().remove(entry.get());
      }
      return Attempt.done(new Deleted());
    } finally {
      export.lock().unlock();
    }
  }

  private Attempt<Deleted> deleteWithoutRecord(Request request, NfsExport export, RelativePath path)
      throws IOException {
    Optional<String> owner = export.records().findOwner(path);
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
        "the directory \"%s\" of %s was not created by this plugin for volume %s: it is kept; remove it by hand if it is not needed, then the volume is deleted"
            .formatted(path, export, request.volumeName()));
  }

  // A volume that could not be saved has an archive already when it is created again.
  private static RelativePath chooseArchivePath(RelativePath path, String volume, NfsExport export)
      throws IOException, PathRejectedException {
    int number = 1;
    RelativePath archive = archivePath(path, volume, "");
    while (!export.makeFree(archive)) {
      number++;
      archive = archivePath(path, volume, "-" + number);
    }
    return archive;
  }

  private static RelativePath archivePath(RelativePath path, String volume, String suffix)
      throws PathRejectedException {
    String flatPath = path.toString().replace('/', '-');
    String name =
        ExportNames.ARCHIVED
            + (flatPath.endsWith(volume) ? flatPath : flatPath + "-" + volume)
            + suffix;
    return RelativePath.of(
        name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES
            ? ExportNames.ARCHIVED + volume + suffix
            : name);
  }
}
