package dev.mooring.manager.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;

/** Where commands write files that were not there. */
final class OutputFolder {
  private OutputFolder() {}

  /** Refuses a folder that nothing can be written to, or that has one of these files. */
  static void check(Path folder, Collection<String> names) throws UsageException {
    if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new UsageException(
          "--into " + folder + " is no folder that this user may write to: name another");
    }
    for (String name : names) {
      if (Files.exists(folder.resolve(name))) {
        throw new UsageException(folder.resolve(name) + " is there: take it away first");
      }
    }
  }
}
