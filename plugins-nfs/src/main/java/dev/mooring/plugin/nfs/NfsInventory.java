package dev.mooring.plugin.nfs;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.VolumeInventory;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.util.Optional;

final class NfsInventory implements VolumeInventory {
  private final NfsExports exports;

  NfsInventory(NfsExports exports) {
    this.exports = exports;
  }

  @Override
  public Attempt<Boolean> contains(Request request) {
    return exports.withDirectory(
        request.source(),
        "found",
        (export, directory) -> {
          boolean isPresent = isPresent(export, request.volumeName(), directory);
          return !isPresent && export.records().isFolderMissing()
              ? new Attempt.Failed<>(new Failure.Unreachable(export.describeMissingRecords()))
              : Attempt.done(isPresent);
        });
  }

  // a retained directory is marked in its record, and an archived one has another path
  private static boolean isPresent(NfsExport export, String volume, RelativePath path)
      throws IOException {
    Optional<DirectoryRecords.Entry> entry = export.records().findEntry(volume);
    return entry.isPresent()
        ? !entry.get().retained()
        : export.records().findOwner(path).isEmpty() && export.tree().exists(path);
  }
}
