package dev.mooring.manager.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Translates the values of nfs-subdir-external-provisioner's chart. */
@Command(
    name = "nfs-subdir",
    description =
        "Reads the values of nfs-subdir-external-provisioner's chart, as 'helm get values RELEASE' prints them, and writes those of Mooring's (mooring-values.yaml) and the StorageClass (mooring-class.yaml). Values that the chart does not have are refused; what is not taken is said with its reason. No cluster is asked.",
    mixinStandardHelpOptions = true)
final class MigrateNfsSubdirCommand implements Callable<Integer> {
  private static final String VALUES = "mooring-values.yaml";
  private static final String CLASS = "mooring-class.yaml";

  @Parameters(paramLabel = "VALUES", description = "The values, a YAML file.")
  private String file = "";

  @Option(
      names = "--release",
      paramLabel = "NAME",
      description =
          "The name of its release, of which the chart makes that of the provisioner if no value has it.")
  private @Nullable String release;

  @Option(
      names = "--into",
      paramLabel = "FOLDER",
      defaultValue = ".",
      description = "Where the files are written; none is overwritten. Default: ${DEFAULT-VALUE}.")
  private Path folder = Path.of(".");

  @Override
  public Integer call() throws UsageException, IOException {
    Object given = YamlFile.read("migrate nfs-subdir", file, YamlFile.Repeats.REFUSED);
    if (!(given instanceof Map<?, ?> values)) {
      throw new UsageException("migrate nfs-subdir " + file + " has no values in it");
    }
    NfsSubdirValues.Migrated migrated = NfsSubdirValues.of(values, Optional.ofNullable(release));
    OutputFolder.check(folder, List.of(VALUES, CLASS));
    write(VALUES, migrated.values());
    if (migrated.storageClass().isPresent()) {
      write(CLASS, migrated.storageClass().get());
    }
    migrated.notes().forEach(note -> System.err.println("note: " + note));
    return 0;
  }

  private void write(String name, Map<String, Object> content) throws IOException {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    Path file = folder.resolve(name);
    Files.writeString(file, new Yaml(options).dump(content), StandardOpenOption.CREATE_NEW);
    System.out.println(file);
  }
}
