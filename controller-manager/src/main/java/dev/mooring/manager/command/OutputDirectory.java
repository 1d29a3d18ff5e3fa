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

final class OutputDirectory {
  @Option(
      names = "--into",
      paramLabel = "FOLDER",
      defaultValue = ".",
      description =
          "Directory for the files; existing files are not overwritten. Default: ${DEFAULT-VALUE}.")
  private Path folder = Path.of(".");

  void check(Collection<String> names) throws UsageException {
    if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new UsageException(
          "--into " + folder + " is not a writable directory: specify another");
    }
    for (String name : names) {
      if (Files.exists(folder.resolve(name))) {
        throw new UsageException(folder.resolve(name) + " exists: move it away first");
      }
    }
  }

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
