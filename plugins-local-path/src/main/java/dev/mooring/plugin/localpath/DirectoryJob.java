package dev.mooring.plugin.localpath;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.files.DirectoryTree;
import java.io.IOException;

record DirectoryJob(DirectoryAction action, VolumeDirectory directory, String volume, String node) {
  record Completed() {}

  static Attempt<Completed> retry(String reason) {
    return new Attempt.Failed<>(new Failure.Uncertain(reason));
  }

  Attempt<Completed> runInProcess(DirectoryTree base) throws InterruptedException {
    try {
      action.run(base, directory.relativePath(), volume);
      return Attempt.done(new Completed());
    } catch (InvalidInputException e) {
      return Attempt.rejected(e.reason());
    } catch (IOException e) {
      return retry("to " + action.argument() + " " + directory + " failed: " + e);
    }
  }
}
