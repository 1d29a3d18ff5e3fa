package dev.mooring.plugin.localpath;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.files.DirectoryTree;
import java.io.IOException;

record DirectoryJob(DirectoryAction action, VolumeDirectory directory, String volume, String node) {
  record Ended() {}

  static Attempt<Ended> again(String why) {
    return new Attempt.Failed<>(new Failure.Uncertain(why));
  }

  Attempt<Ended> runHere(DirectoryTree base) throws InterruptedException {
    try {
      action.on(base, directory.below(), volume);
      return Attempt.done(new Ended());
    } catch (InvalidInputException e) {
      return Attempt.rejected(e.why());
    } catch (IOException e) {
      return again("to " + action.word() + " " + directory + " failed: " + e);
    }
  }
}
