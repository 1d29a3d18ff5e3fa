package dev.mooring.plugin.nfs;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.UsageMeter;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.NoSuchFileException;

final class NfsUsage implements UsageMeter {
  private final NfsExports exports;

  NfsUsage(NfsExports exports) {
    this.exports = exports;
  }

  @Override
  public Attempt<Usage> measure(Request request) {
    return exports.withDirectory(
        request.source(), "measured", (export, directory) -> measure(request, export, directory));
  }

  private static Attempt<Usage> measure(Request request, NfsExport export, RelativePath directory)
      throws IOException {
    boolean isOwner =
        export.records().findOwner(directory).filter(request.volumeName()::equals).isPresent();
    if (!isOwner) {
      return Attempt.rejected("\"" + directory + "\" was not created for " + request.volumeName());
    }
    try {
      return Attempt.done(export.tree().measure(directory));
    } catch (NoSuchFileException e) {
      return Attempt.rejected(
          export.server() + ":" + export.pathOnServer(directory) + " does not exist");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(new Failure.Unreachable("interrupted"));
    }
  }
}
