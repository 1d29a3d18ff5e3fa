package dev.mooring.manager.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "local-path",
    description =
        "Reads the ConfigMap and StorageClasses of local-path-provisioner, from its manifest or from 'kubectl get configmap,storageclass -o yaml'. Writes Mooring's ConfigMap (mooring-config.yaml), chart values (mooring-values.yaml) and StorageClasses (mooring-class.yaml). Prints a line with the remedy for each setting that Mooring does not support. Contacts no cluster and changes no volume.",
    mixinStandardHelpOptions = true)
final class MigrateLocalPathCommand implements Callable<Integer> {
  private static final String CONFIG = "mooring-config.yaml";
  private static final String VALUES = "mooring-values.yaml";
  private static final String CLASS = "mooring-class.yaml";

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "YAML files with the objects.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--provisioner",
      paramLabel = "NAME",
      description = "Provisioner name in the StorageClasses. Default: ${DEFAULT-VALUE}.")
  private String provisioner = LocalPathObjects.USUAL_NAME;

  @Mixin private final OutputDirectory into = new OutputDirectory();

  @Override
  public Integer call() throws UsageException, IOException {
    List<Object> documents = new ArrayList<>();
    for (String file : files) {
      documents.addAll(YamlFile.readAll("migrate local-path", file));
    }
    LocalPathObjects.Migrated migrated = LocalPathObjects.of(documents, provisioner);
    Map<String, List<Map<String, Object>>> documentsByFile = new LinkedHashMap<>();
    documentsByFile.put(CONFIG, List.of(migrated.configMap()));
    documentsByFile.put(VALUES, List.of(migrated.values()));
    if (!migrated.classes().isEmpty()) {
      documentsByFile.put(CLASS, migrated.classes());
    }
    into.check(documentsByFile.keySet());
    for (Map.Entry<String, List<Map<String, Object>>> entry : documentsByFile.entrySet()) {
      into.write(entry.getKey(), entry.getValue());
    }
    migrated.notes().forEach(note -> System.err.println("note: " + note));
    return 0;
  }
}
