package dev.mooring.plugin.localpath;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.files.DirectoryTree;
import java.io.IOException;

/**
 * Something that is to be done on a node.
 *
 * @param action what
 * @param directory with which directory
 * @param volume for which volume
 * @param node the node's name, "" if any will do
 */
record Job(DirectoryAction action, Directory directory, String volume, String node) {
  /** It is done. */
  record Ended() {}

  /** It may be done, or not: the host asks again. */
  static Attempt<Ended> again(String why) {
    return new Attempt.Failed<>(new Failure.Uncertain(why));
  }

  /**
   * Does it in this process, which runs on the node.
   *
   * @param base the directory's base
   */
  Attempt<Ended> runHere(DirectoryTree base) throws InterruptedException {
    try {
      action.on(base, directory.below(), volume);
      return Attempt.done(new Ended());
    } catch (Refused e) {
      return Attempt.rejected(e.why());
    } catch (IOException e) {
      return again("to " + action.word() + " " + directory + " did not work: " + e);
    }
  }
}
