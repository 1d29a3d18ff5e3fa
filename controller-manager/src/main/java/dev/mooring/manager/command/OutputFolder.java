package dev.mooring.manager.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine.Option;

/** Where commands write files that were not there. */
final class OutputFolder {
  @Option(
      names = "--into",
      paramLabel = "FOLDER",
      defaultValue = ".",
      description = "Where the files are written; none is overwritten. Default: ${DEFAULT-VALUE}.")
  private Path folder = Path.of(".");

  /** Refuses a folder that nothing can be written to, or that has one of these files. */
  void check(Collection<String> names) throws UsageException {
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

  /** Writes a file of YAML, and says so. */
  void write(String name, List<?> documents) throws IOException {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setExplicitStart(documents.size() > 1);
    Path file = folder.resolve(name);
    Files.writeString(
        file, new Yaml(options).dumpAll(documents.iterator()), StandardOpenOption.CREATE_NEW);
    System.out.println(file);
  }
}
