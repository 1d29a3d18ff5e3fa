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
    Optional<String> problem = export.findProblem();
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
      return new Attempt.Failed<>(
          new Failure.Uncertain("creating a directory of " + export + " failed: " + e));
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
      records.put(currentEntry);
      makeDirectory(currentEntry, parameters, export);
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
    records.put(
        entry); // before the other record is deleted, so that the directory always has an owner
    if (reusedEntry.isPresent()) {
      records.remove(reusedEntry.get());
    }
    makeDirectory(entry, parameters, export);
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
      DirectoryRecords.Entry entry, NfsParameters parameters, NfsExport export) throws IOException {
    try {
      export
          .tree()
          .make(
              entry.path(),
              new DirectoryTree.Access(parameters.mode(), parameters.uid(), parameters.gid()),
              entry.volume());
    } catch (NotDirectoryException e) {
      export.records().remove(entry);
      throw e;
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
