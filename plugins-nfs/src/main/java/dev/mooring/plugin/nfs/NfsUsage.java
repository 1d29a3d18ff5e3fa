package dev.mooring.plugin.nfs;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.UsageMeter;
import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

final class NfsUsage implements UsageMeter {
  private final NfsExports exports;

  NfsUsage(NfsExports exports) {
    this.exports = exports;
  }

  @Override
  public Attempt<Usage> measure(Request request) {
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
      RelativePath directory = export.get().toRelativePath(path);
      boolean isOwner =
          export
              .get()
              .records()
              .findOwner(directory)
              .filter(request.volumeName()::equals)
              .isPresent();
      return isOwner
          ? Attempt.done(export.get().tree().measure(directory))
          : Attempt.rejected("\"" + directory + "\" was not created for " + request.volumeName());
    } catch (PathRejectedException e) {
      return Attempt.rejected(e.reason());
    } catch (InvalidPathException e) {
      return Attempt.rejected("\"" + e.getInput() + "\" cannot be measured: " + e.getReason());
    } catch (NoSuchFileException e) {
      return Attempt.rejected(server + ":" + path + " does not exist");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(new Failure.Unreachable("interrupted"));
    } catch (IOException e) {
      return new Attempt.Failed<>(
          new Failure.Unreachable("measuring " + server + ":" + path + " failed: " + e));
    }
  }
}
