package dev.mooring.manager.command;

import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.model.AccessModes;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "nfs-subdir",
    description =
        "Reads the values of nfs-subdir-external-provisioner's chart, as printed by 'helm get values RELEASE'. Writes Mooring's chart values (mooring-values.yaml) and the StorageClass (mooring-class.yaml). Rejects values that the chart does not have, and lists values without a counterpart. The NFS plugin validates the class; the exit code is 2 if it rejects the class. Contacts no cluster.",
    mixinStandardHelpOptions = true)
final class MigrateNfsSubdirCommand implements Callable<Integer> {
  private static final String VALUES = "mooring-values.yaml";
  private static final String PLUGIN = "k8s-sigs.io/nfs-subdir-external-provisioner";
  private static final String CLASS = "mooring-class.yaml";

  @Parameters(paramLabel = "VALUES", description = "YAML file with the chart's values.")
  private String file = "";

  @Option(
      names = "--release",
      paramLabel = "NAME",
      description =
          "Release name of the chart, from which the chart derives the provisioner's name if no value sets it.")
  private @Nullable String release;

  @Mixin private final PluginOptions plugins = new PluginOptions();

  @Mixin private final OutputDirectory into = new OutputDirectory();

  @Override
  public Integer call() throws UsageException, IOException, InterruptedException {
    Object document = YamlFile.read("migrate nfs-subdir", file);
    if (!(document instanceof Map<?, ?> values)) {
      throw new UsageException("migrate nfs-subdir " + file + " contains no values");
    }
    NfsSubdirValues.Migrated migrated = NfsSubdirValues.of(values, Optional.ofNullable(release));
    Optional<String> note =
        migrated.storageClass().isPresent() ? checked(migrated) : Optional.empty();
    into.check(List.of(VALUES, CLASS));
    into.write(VALUES, List.of(migrated.values()));
    if (migrated.storageClass().isPresent()) {
      into.write(CLASS, List.of(migrated.storageClass().get()));
    }
    migrated.notes().forEach(text -> System.err.println("note: " + text));
    note.ifPresent(text -> System.err.println("note: " + text));
    return 0;
  }

  private Optional<String> checked(NfsSubdirValues.Migrated migrated)
      throws UsageException, InterruptedException {
    Map<?, ?> nfs = (Map<?, ?>) Objects.requireNonNull(migrated.values().get("nfs"));
    String export = nfs.get("server") + ":" + nfs.get("path") + "=/mnt";
    try (PluginRegistry registry =
        plugins.registry(Map.of("nfs-exports", export, "nfs-require-mount", "false"))) {
      Optional<Provisioner> provisioner =
          registry
              .find(System.getenv().getOrDefault("PROVISIONER_NAME", PLUGIN))
              .flatMap(VolumePlugin::provisioner);
      if (provisioner.isEmpty()) {
        return Optional.of(
            "the class is not validated: the NFS plugin is missing in "
                + plugins.directory()
                + " or does not start; specify its directory with --plugins");
      }
      Optional<String> refusal =
          provisioner.get().refuses(claimOf(migrated.storageClass().orElseThrow()));
      if (refusal.isPresent()) {
        throw new UsageException(
            "migrate nfs-subdir %s: Mooring's NFS plugin rejects claims of this class: %s; no file was written"
                .formatted(file, refusal.get()));
      }
      return Optional.empty();
    }
  }

  private static Provisioner.Request claimOf(Map<String, Object> storageClass) {
    Map<String, String> parameters = new TreeMap<>();
    if (storageClass.get("parameters") instanceof Map<?, ?> document) {
      document.forEach((name, value) -> parameters.put(name.toString(), value.toString()));
    }
    return new Provisioner.Request(
        "pvc-check",
        new Provisioner.ClaimInfo(
            ObjectKey.of("default", "check"), Uid.of("check"), Map.of(), Map.of()),
        Quantity.of("1Gi"),
        AccessModes.of("ReadWriteMany"),
        VolumeMode.FILESYSTEM,
        String.valueOf(
            ((Map<?, ?>) Objects.requireNonNull(storageClass.get("metadata"))).get("name")),
        parameters,
        List.of(),
        null);
  }
}
