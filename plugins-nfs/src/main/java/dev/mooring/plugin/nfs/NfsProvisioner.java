package dev.mooring.plugin.nfs;

import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NotDirectoryException;
import java.util.Map;
import java.util.Optional;

/** Creates a directory per volume. Thread-safe. */
final class NfsProvisioner implements Provisioner {
  private final NfsExports exports;

  NfsProvisioner(NfsExports exports) {
    this.exports = exports;
  }

  /** Checks the class only; {@code provision} checks the claim's values. */
  @Override
  public Optional<String> refuses(Request request) {
    if (request.volumeMode() == VolumeMode.BLOCK) {
      return Optional.of("NFS does not support block volumes: remove volumeMode");
    }
    try {
      exports.select(NfsParameters.of(request.parameters()));
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of("StorageClass " + request.className() + ": " + e.getMessage());
    }
  }

  @Override
  public boolean needsFullClaims(Map<String, String> parameters) {
    return parameters.containsKey("pathPattern");
  }

  @Override
  public Attempt<Provisioned> provision(Request request) {
    NfsParameters parameters = NfsParameters.of(request.parameters());
    NfsExport export = exports.select(parameters);
    Optional<String> problem = export.findProblem().or(export::prepareRecords);
    if (problem.isPresent()) {
      return new Attempt.Failed<>(new Failure.Unreachable(problem.get()));
    }
    try {
      export.lock().lockInterruptibly();
      try {
        return toProvisioned(request, export, createDirectory(request, parameters, export));
      } finally {
        export.lock().unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(new Failure.Unreachable("interrupted"));
    } catch (PathRejectedException e) {
      return Attempt.rejected(e.reason());
    } catch (DirectoryInUseException e) {
      return new Attempt.Failed<>(new Failure.InUse(e.reason()));
    } catch (NotDirectoryException e) {
      return Attempt.rejected("\"" + e.getFile() + "\" of " + export + " is not a directory");
    } catch (InvalidPathException e) {
      return Attempt.rejected(
          "the directory \"" + e.getInput() + "\" cannot be created here: " + e.getReason());
    } catch (IOException e) {
      String message = "creating a directory of " + export + " failed: " + e;
      return new Attempt.Failed<>(
          mayHaveDirectory(request.volumeName(), export)
              ? new Failure.Uncertain(message)
              : new Failure.Unreachable(message));
    }
  }

  // While the result is uncertain, the claim cannot be deleted.
  private static boolean mayHaveDirectory(String volume, NfsExport export) {
    try {
      return export.records().isFolderMissing() || export.records().findEntry(volume).isPresent();
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * Returns the volume's directory. The decision of an earlier attempt stays, whatever the claim
   * requests now.
   */
  private DirectoryRecords.Entry createDirectory(
      Request request, NfsParameters parameters, NfsExport export)
      throws IOException, PathRejectedException, DirectoryInUseException, InterruptedException {
    DirectoryRecords records = export.records();
    String volume = ExportNames.parseVolumeName(request.volumeName());
    Optional<DirectoryRecords.Entry> earlierEntry = records.findEntry(volume);
    if (earlierEntry.isPresent() && hasNoOtherOwner(earlierEntry.get(), records)) {
      // the earlier attempt may have written only the volume's file, or may have been rolled back
      DirectoryRecords.Entry currentEntry = earlierEntry.get().withRetained(false);
      makeDirectory(currentEntry, Optional.empty(), parameters, export);
      return currentEntry;
    }
    SubdirPattern.Placement placement = choosePlacement(request, parameters);
    DirectoryRecords.Entry entry =
        new DirectoryRecords.Entry(
            volume,
            placement.path(),
            request.claim().key().namespace(),
            parameters.onDelete(),
            false);
    Optional<DirectoryRecords.Entry> reusedEntry =
        new PlacementCheck(exports, export).check(entry, placement, parameters.reuseRetained());
    makeDirectory(entry, reusedEntry, parameters, export);
    return entry;
  }

  private static boolean hasNoOtherOwner(DirectoryRecords.Entry entry, DirectoryRecords records)
      throws IOException {
    return records.findOwner(entry.path()).filter(o -> !o.equals(entry.volume())).isEmpty();
  }

  private static SubdirPattern.Placement choosePlacement(Request request, NfsParameters parameters)
      throws PathRejectedException {
    if (parameters.pattern().isPresent()) {
      return parameters.pattern().get().resolve(request);
    }
    RelativePath path =
        ExportNames.parsePath(
            request.claim().key().namespace()
                + "-"
                + request.claim().key().name()
                + "-"
                + request.volumeName());
    return new SubdirPattern.Placement(
        path, 0, true); // the volume's name belongs to no other claim
  }

  private static void makeDirectory(
      DirectoryRecords.Entry entry,
      Optional<DirectoryRecords.Entry> reusedEntry,
      NfsParameters parameters,
      NfsExport export)
      throws IOException {
    DirectoryRecords records = export.records();
    try {
      // before the other record is deleted, so that the directory always has an owner
      records.put(entry);
      if (reusedEntry.isPresent()) {
        records.remove(reusedEntry.get());
      }
      export
          .tree()
          .make(
              entry.path(),
              new DirectoryTree.Access(parameters.mode(), parameters.uid(), parameters.gid()),
              entry.volume());
    } catch (IOException e) {
      removeNeedlessRecord(entry, export, e);
      throw e;
    }
  }

  private static void removeNeedlessRecord(
      DirectoryRecords.Entry entry, NfsExport export, IOException cause) {
    DirectoryRecords records = export.records();
    try {
      boolean isOwner = records.findOwner(entry.path()).filter(entry.volume()::equals).isPresent();
      if (cause instanceof NotDirectoryException
          || !isOwner
          || !export.tree().exists(entry.path())) {
        records.remove(entry);
      }
    } catch (IOException e) {
      cause.addSuppressed(e); // the record stays, and the result is uncertain
    }
  }

  private static Attempt<Provisioned> toProvisioned(
      Request request, NfsExport export, DirectoryRecords.Entry entry) {
    return Attempt.done(
        new Provisioned(
            VolumeSource.nfs(export.server(), export.pathOnServer(entry.path())),
            request.capacity(),
            request.accessModes(),
            Map.of(OnDelete.ANNOTATION, entry.onDelete().parameterValue())));
  }
}
