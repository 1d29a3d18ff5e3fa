package dev.mooring.manager.shadow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes numbered scenario files of differences to a directory. Not thread-safe. */
public final class ScenarioFiles {
  private final Path folder;
  private int count;

  public ScenarioFiles(Path folder) {
    this.folder = folder;
  }

  public Path write(UnexplainedDifference difference) throws IOException {
    String name = "difference-" + ++count;
    return Files.writeString(
        folder.resolve(name + ".json"), ShadowScenario.format(difference, name));
  }
}
