package dev.mooring.manager.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The objects of local-path-provisioner, and what becomes of each key of them. Nothing is guessed:
 * what Mooring's plugin would refuse is left out and said. Pure.
 */
final class LocalPathObjects {
  /** What it calls itself unless it is told otherwise. */
  static final String USUAL_NAME = "rancher.io/local-path";

  private static final String CONFIG = "config.json";
  private static final String NAME = "local-path-config";
  private static final String PODS_NAMESPACE = "mooring-local-path";

  /** What its own scripts have come to, without quotes and with plain variables. */
  private static final Map<String, Set<String>> STOCK =
      Map.of(
          "setup", Set.of("mkdir -m 0777 -p $VOL_DIR", "mkdir -m 0777 -p $absolutePath"),
          "teardown", Set.of("rm -rf $VOL_DIR", "rm -rf $absolutePath"));

  /** Their first lines, and how the older ones read their arguments. */
  private static final Pattern AROUND =
      Pattern.compile(
          "|#!/bin/sh|set -eu|while getopts .*|do|case \\$opt in|[a-z]\\)|[A-Za-z]+=\\$OPTARG|;;|esac|done");

  /**
   * What comes of them.
   *
   * @param configMap for Mooring's namespace
   * @param values of Mooring's chart
   * @param classes its StorageClasses
   * @param notes what was not taken and what to do about it; a line each
   */
  record Migrated(
      Map<String, Object> configMap,
      Map<String, Object> values,
      List<Map<String, Object>> classes,
      List<String> notes) {}

  private final String provisioner;
  private final MigrationNotes notes = new MigrationNotes();

  /** The data of those that have a configuration. */
  private final List<Map<?, ?>> configMaps = new ArrayList<>();

  private final List<Map<?, ?>> classes = new ArrayList<>();

  private LocalPathObjects(String provisioner) {
    this.provisioner = provisioner;
  }

  /**
   * Translates them.
   *
   * @param documents what stands in the files
   * @param provisioner what classes call it
   * @throws UsageException if the configuration is missing, is there twice, or is none
   */
  static Migrated of(List<Object> documents, String provisioner) throws UsageException {
    LocalPathObjects all = new LocalPathObjects(provisioner);
    documents.forEach(all::sort);
    if (all.configMaps.size() != 1) {
      throw new UsageException(
          "there "
              + (all.configMaps.isEmpty() ? "is no ConfigMap" : "is more than one ConfigMap")
              + " with the key config.json: name files that have one, 'kubectl get configmap local-path-config --namespace local-path-storage -o yaml' prints it");
    }
    return all.migrated();
  }

  /** Others than these two kinds are about another program, or nobody's. */
  private void sort(@Nullable Object document) {
    if (!(document instanceof Map<?, ?> object)) {
      return;
    }
    if (object.get("items") instanceof List<?> items) {
      items.forEach(this::sort);
    } else if ("ConfigMap".equals(object.get("kind"))
        && object.get("data") instanceof Map<?, ?> data
        && data.containsKey(CONFIG)) {
      configMaps.add(data);
    } else if ("StorageClass".equals(object.get("kind"))
        && provisioner.equals(object.get("provisioner"))) {
      classes.add(object);
    }
  }

  private Migrated migrated() throws UsageException {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("mode", "beside");
    Map<String, Object> configMap = configMap(values);
    Map<String, Object> localPath = new LinkedHashMap<>();
    localPath.put("configMap", NAME);
    localPath.put("podsNamespace", PODS_NAMESPACE);
    if (!provisioner.equals(USUAL_NAME)) {
      localPath.put("provisionerName", provisioner);
    }
    values.put("localPath", localPath);
    List<Map<String, Object>> made = new ArrayList<>();
    for (Map<?, ?> one : classes) {
      made.add(new LocalPathClass(one, notes).translated());
    }
    if (made.isEmpty()) {
      notes.tell(
          "there is no StorageClass of "
              + provisioner
              + " in the files: those of the cluster go on being served; say --provisioner if they call it otherwise");
    }
    return new Migrated(configMap, values, List.copyOf(made), notes.lines());
  }

  private Map<String, Object> configMap(Map<String, Object> values) throws UsageException {
    Map<?, ?> data = configMaps.getFirst();
    String config = new LocalPathConfig(notes).translated(String.valueOf(data.get(CONFIG)));
    for (String key : sortedKeys(data)) {
      Object value = data.get(key);
      switch (key) {
        case CONFIG -> {}
        case "setup", "teardown" -> script(key, String.valueOf(value));
        case "helperPod.yaml" ->
            new LocalPathHelperPod(notes).translate(String.valueOf(value), values);
        default -> notes.add(key, value, MigrationNotes.UNKNOWN);
      }
    }
    Map<String, Object> made = new LinkedHashMap<>();
    made.put("apiVersion", "v1");
    made.put("kind", "ConfigMap");
    made.put("metadata", Map.of("name", NAME));
    made.put("data", Map.of(CONFIG, config));
    return made;
  }

  /** In the order of their names, whatever they are. */
  static TreeSet<String> sortedKeys(Map<?, ?> members) {
    TreeSet<String> keys = new TreeSet<>();
    members.keySet().forEach(key -> keys.add(String.valueOf(key)));
    return keys;
  }

  private void script(String key, String script) {
    List<String> commands =
        script
            .lines()
            .map(line -> line.strip().replace("\"", "").replaceAll("\\$\\{(\\w+)}", "\\$$1"))
            .filter(line -> !AROUND.matcher(line).matches())
            .toList();
    if (commands.size() != 1 || !STOCK.getOrDefault(key, Set.of()).contains(commands.getFirst())) {
      notes.add(
          key,
          script.strip(),
          "no script of others is run, directories are made (mode 0777) and removed by the plugin itself; if it does more, stay with local-path-provisioner or do that elsewhere");
    }
  }
}
