package dev.mooring.manager.command;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin private final OutputFolder into = new OutputFolder();

  @Override
  public Integer call() throws UsageException, IOException {
    Object given = YamlFile.read("migrate nfs-subdir", file, YamlFile.Repeats.REFUSED);
    if (!(given instanceof Map<?, ?> values)) {
      throw new UsageException("migrate nfs-subdir " + file + " has no values in it");
    }
    NfsSubdirValues.Migrated migrated = NfsSubdirValues.of(values, Optional.ofNullable(release));
    into.check(List.of(VALUES, CLASS));
    into.write(VALUES, List.of(migrated.values()));
    if (migrated.storageClass().isPresent()) {
      into.write(CLASS, List.of(migrated.storageClass().get()));
    }
    migrated.notes().forEach(note -> System.err.println("note: " + note));
    return 0;
  }
}
