package dev.mooring.manager.command;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

  void write(String name, List<?> documents) throws UsageException {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setExplicitStart(documents.size() > 1);
    Path file = folder.resolve(name);
    String text = new Yaml(options).dumpAll(documents.iterator());
    NewFile.create(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    System.out.println(file);
  }
}
