package dev.mooring.plugin.nfs;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.VolumeInventory;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.util.Optional;

final class NfsInventory implements VolumeInventory {
  private final NfsExports exports;

  NfsInventory(NfsExports exports) {
    this.exports = exports;
  }

  @Override
  public Attempt<Boolean> contains(Request request) {
    String server = request.source().attribute("server");
    String path = NfsExports.canonicalPath(request.source().attribute("path"));
    Optional<NfsExport> export = exports.findContaining(server, path);
    if (export.isEmpty()) {
      return Attempt.rejected(
          server + ":" + path + " lies in none of the exports " + exports.list());
    }
    Optional<String> problem = export.get().findProblem();
    if (problem.isPresent()) {
      return new Attempt.Failed<>(new Failure.Unreachable(problem.get()));
    }
    try {
      return Attempt.done(
          isPresent(export.get(), request.volumeName(), export.get().toRelativePath(path)));
    } catch (PathRejectedException e) {
      return Attempt.rejected(e.reason());
    } catch (InvalidPathException e) {
      return Attempt.rejected("\"" + e.getInput() + "\" cannot be found: " + e.getReason());
    } catch (IOException e) {
      return new Attempt.Failed<>(
          new Failure.Unreachable("reading " + server + ":" + path + " failed: " + e));
    }
  }

  // a retained directory has a record that says so, and an archived one another path
  private static boolean isPresent(NfsExport export, String volume, RelativePath path)
      throws IOException {
    Optional<DirectoryRecords.Entry> entry = export.records().findEntry(volume);
    return entry.isPresent()
        ? !entry.get().retained()
        : export.records().findOwner(path).isEmpty() && export.tree().exists(path);
  }
}
