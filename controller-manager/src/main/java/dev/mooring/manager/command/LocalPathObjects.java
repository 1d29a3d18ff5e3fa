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
 * Translates local-path-provisioner's objects. Drops every key that Mooring's plugin rejects and
 * adds a note about it. Pure function.
 */
final class LocalPathObjects {
  static final String USUAL_NAME = "rancher.io/local-path";

  private static final String CONFIG = "config.json";
  private static final String NAME = "local-path-config";
  private static final String PODS_NAMESPACE = "mooring-local-path";

  private static final Map<String, Set<String>> STOCK =
      Map.of(
          "setup", Set.of("mkdir -m 0777 -p $VOL_DIR", "mkdir -m 0777 -p $absolutePath"),
          "teardown", Set.of("rm -rf $VOL_DIR", "rm -rf $absolutePath"));

  private static final Pattern AROUND =
      Pattern.compile(
          "|#!/bin/sh|set -eu|while getopts .*|do|case \\$opt in|[a-z]\\)|[A-Za-z]+=\\$OPTARG|;;|esac|done");

  record Migrated(
      Map<String, Object> configMap,
      Map<String, Object> values,
      List<Map<String, Object>> classes,
      List<String> notes) {}

  private final String provisioner;
  private final MigrationNotes notes = new MigrationNotes();

  private final List<Map<?, ?>> configMaps = new ArrayList<>();

  private final List<Map<?, ?>> classes = new ArrayList<>();

  private LocalPathObjects(String provisioner) {
    this.provisioner = provisioner;
  }

  static Migrated of(List<Object> documents, String provisioner) throws UsageException {
    LocalPathObjects objects = new LocalPathObjects(provisioner);
    documents.forEach(objects::sort);
    if (objects.configMaps.size() != 1) {
      throw new UsageException(
          "the files %s with the key config.json: print it with 'kubectl get configmap local-path-config --namespace local-path-storage -o yaml'"
              .formatted(
                  objects.configMaps.isEmpty()
                      ? "contain no ConfigMap"
                      : "contain more than one ConfigMap"));
    }
    return objects.migrated();
  }

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
    List<Map<String, Object>> translatedClasses = new ArrayList<>();
    for (Map<?, ?> storageClass : classes) {
      translatedClasses.add(new LocalPathClass(storageClass, notes).translate());
    }
    if (translatedClasses.isEmpty()) {
      notes.addText(
          "the files contain no StorageClass of "
              + provisioner
              + "; existing classes remain usable. Specify --provisioner if they have another name");
    }
    return new Migrated(configMap, values, List.copyOf(translatedClasses), notes.lines());
  }

  private Map<String, Object> configMap(Map<String, Object> values) throws UsageException {
    Map<?, ?> data = configMaps.getFirst();
    String config = new LocalPathConfig(notes).translate(String.valueOf(data.get(CONFIG)));
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
    Map<String, Object> translatedClasses = new LinkedHashMap<>();
    translatedClasses.put("apiVersion", "v1");
    translatedClasses.put("kind", "ConfigMap");
    translatedClasses.put("metadata", Map.of("name", NAME));
    translatedClasses.put("data", Map.of(CONFIG, config));
    return translatedClasses;
  }

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
          "Mooring runs no external scripts: the plugin itself creates directories (mode 0777) and removes them. If the script does more, keep local-path-provisioner or do that elsewhere");
    }
  }
}
