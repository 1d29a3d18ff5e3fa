package dev.mooring.manager.command;

import dev.mooring.text.NameSuggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Translates the values of nfs-subdir-external-provisioner's chart (4.0). Rejects values that the
 * chart does not know. Pure function.
 */
final class NfsSubdirValues {
  private static final String NOT_NEEDED = "Mooring does not need it";
  private static final String ANOTHER_PROGRAM = "it concerns another program";

  /**
   * Translation of a value of the chart.
   *
   * @param path the value of Mooring's chart with the same meaning; empty for none
   * @param flaw why it has no counterpart; "" if it has one
   */
  private record Translation(List<String> path, String flaw) {}

  // The value determines the class or several values.
  private static final Translation USED = new Translation(List.of(), "");

  private static final SortedMap<String, Translation> KNOWN =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("replicaCount", copiedTo("replicaCount")),
              Map.entry("strategyType", unsupported("leader election allows replicas to overlap")),
              Map.entry("image.repository", unsupported(ANOTHER_PROGRAM)),
              Map.entry("image.tag", unsupported(ANOTHER_PROGRAM)),
              Map.entry("image.pullPolicy", unsupported(ANOTHER_PROGRAM)),
              Map.entry("imagePullSecrets", copiedTo("imagePullSecrets")),
              Map.entry("nfs.server", copiedTo("nfs", "server")),
              Map.entry("nfs.path", USED),
              Map.entry("nfs.mountOptions", USED),
              Map.entry("nfs.volumeName", unsupported(NOT_NEEDED)),
              Map.entry("nfs.reclaimPolicy", unsupported(NOT_NEEDED)),
              Map.entry("storageClass.create", USED),
              Map.entry("storageClass.provisionerName", USED),
              Map.entry("storageClass.defaultClass", USED),
              Map.entry("storageClass.name", USED),
              Map.entry("storageClass.allowVolumeExpansion", USED),
              Map.entry("storageClass.reclaimPolicy", USED),
              Map.entry("storageClass.archiveOnDelete", USED),
              Map.entry("storageClass.onDelete", USED),
              Map.entry("storageClass.pathPattern", USED),
              Map.entry("storageClass.accessModes", unsupported("claims specify them")),
              Map.entry("storageClass.volumeBindingMode", USED),
              Map.entry("storageClass.annotations", USED),
              Map.entry(
                  "leaderElection.enabled", unsupported("Mooring's chart always elects a leader")),
              Map.entry("rbac.create", copiedTo("rbac", "create")),
              Map.entry(
                  "podSecurityPolicy.enabled",
                  unsupported("Kubernetes has removed PodSecurityPolicy")),
              Map.entry("podAnnotations", copiedTo("podAnnotations")),
              Map.entry("podSecurityContext", USED),
              Map.entry("securityContext", USED),
              Map.entry("priorityClassName", copiedTo("priorityClassName")),
              Map.entry("serviceAccount.create", copiedTo("serviceAccount", "create")),
              Map.entry("serviceAccount.name", copiedTo("serviceAccount", "name")),
              Map.entry("serviceAccount.annotations", copiedTo("serviceAccount", "annotations")),
              Map.entry("resources", unsupported(ANOTHER_PROGRAM)),
              Map.entry("nodeSelector", copiedTo("nodeSelector")),
              Map.entry("tolerations", copiedTo("tolerations")),
              Map.entry("affinity", copiedTo("affinity")),
              Map.entry("labels", copiedTo("podLabels")),
              Map.entry("podDisruptionBudget.enabled", copiedTo("podDisruptionBudget", "enabled")),
              Map.entry(
                  "podDisruptionBudget.maxUnavailable",
                  unsupported("at most one replica is disrupted at a time")),
              Map.entry("nameOverride", USED),
              Map.entry("fullnameOverride", USED)));

  private static final String CHART = "nfs-subdir-external-provisioner";
  private static final int LONGEST_NAME = 63;

  record Migrated(
      Map<String, Object> values, Optional<Map<String, Object>> storageClass, List<String> notes) {}

  private final Map<String, Object> given = new TreeMap<>();
  private final List<String> unknown = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Optional<String> release;

  private NfsSubdirValues(Optional<String> release) {
    this.release = release;
  }

  static Migrated of(Map<?, ?> values, Optional<String> release) throws UsageException {
    NfsSubdirValues translated = new NfsSubdirValues(release);
    translated.read("", values);
    if (!translated.unknown.isEmpty()) {
      throw new UsageException(
          "the chart of %s has no values %s: remove them"
              .formatted(CHART, String.join(", ", translated.unknown)));
    }
    return translated.migrated();
  }

  private void read(String prefix, Map<?, ?> members) {
    members.forEach((key, value) -> {
      String path = prefix + key;
      if (KNOWN.containsKey(path)) {
        if (value != null) {
          given.put(path, value);
        }
      } else if (value instanceof Map<?, ?> more
          && KNOWN.keySet().stream().anyMatch(known -> known.startsWith(path + "."))) {
        read(path + ".", more);
      } else if (value != null) {
        unknown.add(
            path + NameSuggestion.to(path, KNOWN.keySet()).map(n -> " (" + n + "?)").orElse(""));
      }
    });
  }

  private static Translation copiedTo(String... path) {
    return new Translation(List.of(path), "");
  }

  private static Translation unsupported(String reason) {
    return new Translation(List.of(), reason);
  }

  private Migrated migrated() throws UsageException {
    text("nfs.server", null);
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("mode", "beside");
    KNOWN.forEach((name, translation) -> {
      Object value = given.get(name);
      if (value != null && !translation.path().isEmpty()) {
        put(values, value, translation.path());
      }
    });
    put(values, text("nfs.path", "/nfs-storage"), List.of("nfs", "path"));
    put(values, provisioner(), List.of("nfs", "provisionerName"));
    put(values, user(), List.of("nfs", "runAsUser"));
    Optional<Map<String, Object>> storageClass =
        getBoolean("storageClass.create", true) ? Optional.of(storageClass()) : Optional.empty();
    if (storageClass.isEmpty()) {
      notes.add("storageClass.create is false: existing classes remain usable");
    }
    if (given.get("nfs.mountOptions") instanceof List<?> options && !options.isEmpty()) {
      notes.add(
          "nfs.mountOptions apply to the class only; for Mooring's own mount, create a claim for a volume with these options and set nfs.claim");
    }
    KNOWN.entrySet().stream()
        .filter(known -> !known.getValue().flaw().isEmpty() && given.containsKey(known.getKey()))
        .map(known -> known.getKey() + " is not supported: " + known.getValue().flaw())
        .forEach(notes::add);
    return new Migrated(values, storageClass, List.copyOf(notes));
  }

  @SuppressWarnings("unchecked") // only this method creates the nested maps
  private static void put(Map<String, Object> values, Object value, List<String> path) {
    Map<String, Object> target = values;
    for (String name : path.subList(0, path.size() - 1)) {
      target =
          (Map<String, Object>)
              target.computeIfAbsent(name, n -> new LinkedHashMap<String, Object>());
    }
    target.put(path.getLast(), value);
  }

  private String text(String path, @Nullable String otherwise) throws UsageException {
    Object value = given.getOrDefault(path, otherwise == null ? "" : otherwise);
    if (value instanceof Map<?, ?> || value instanceof List<?> || value.toString().isEmpty()) {
      throw new UsageException(path + " is missing or not a string: the chart requires it");
    }
    return value.toString();
  }

  private boolean getBoolean(String path, boolean defaultValue) throws UsageException {
    Object value = given.getOrDefault(path, defaultValue);
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw new UsageException(path + " \"" + value + "\" is neither true nor false");
  }

  private String provisioner() throws UsageException {
    if (given.containsKey("storageClass.provisionerName")) {
      return text("storageClass.provisionerName", null);
    }
    String full = given.getOrDefault("fullnameOverride", "").toString();
    if (full.isEmpty() && release.isEmpty()) {
      throw new UsageException(
          "storageClass.provisionerName is not set, so the chart derived it from the release name: specify --release NAME");
    }
    if (full.isEmpty()) {
      String chart = given.getOrDefault("nameOverride", CHART).toString();
      full = release.get().contains(chart) ? release.get() : release.get() + "-" + chart;
    }
    String cut = full.substring(0, Math.min(LONGEST_NAME, full.length()));
    return "cluster.local/" + (cut.endsWith("-") ? cut.substring(0, cut.length() - 1) : cut);
  }

  private Object user() {
    Object user = 0;
    for (String context : List.of("podSecurityContext", "securityContext")) {
      if (given.get(context) instanceof Map<?, ?> members) {
        for (Map.Entry<?, ?> member : members.entrySet()) {
          if (member.getKey().equals("runAsUser") && member.getValue() != null) {
            user = member.getValue();
          } else {
            notes.add(
                "%s.%s is not supported: except for the user, Mooring's pods comply with the restricted Pod Security Standard"
                    .formatted(context, member.getKey()));
          }
        }
      }
    }
    return user;
  }

  private Map<String, Object> storageClass() throws UsageException {
    Map<String, Object> storageClass = new LinkedHashMap<>();
    storageClass.put("apiVersion", "storage.k8s.io/v1");
    storageClass.put("kind", "StorageClass");
    put(storageClass, text("storageClass.name", "nfs-client"), List.of("metadata", "name"));
    if (given.get("storageClass.annotations") instanceof Map<?, ?> annotations) {
      annotations.forEach((name, value) ->
          put(storageClass, value, List.of("metadata", "annotations", String.valueOf(name))));
    }
    if (getBoolean("storageClass.defaultClass", false)) {
      put(
          storageClass,
          "true",
          List.of("metadata", "annotations", "storageclass.kubernetes.io/is-default-class"));
    }
    storageClass.put("provisioner", provisioner());
    storageClass.put("reclaimPolicy", text("storageClass.reclaimPolicy", "Delete"));
    storageClass.put("allowVolumeExpansion", getBoolean("storageClass.allowVolumeExpansion", true));
    storageClass.put("volumeBindingMode", text("storageClass.volumeBindingMode", "Immediate"));
    boolean archives = getBoolean("storageClass.archiveOnDelete", true);
    put(storageClass, Boolean.toString(archives), List.of("parameters", "archiveOnDelete"));
    for (String name : List.of("pathPattern", "onDelete")) {
      String value = given.getOrDefault("storageClass." + name, "").toString();
      if (!value.isEmpty()) {
        put(storageClass, value, List.of("parameters", name));
      }
    }
    String onDelete = given.getOrDefault("storageClass.onDelete", "").toString();
    if (!List.of("", "delete", "retain").contains(onDelete)) {
      throw new UsageException(
          "storageClass.onDelete \""
              + onDelete
              + "\" is unknown to the chart's provisioner, which then applies archiveOnDelete: specify delete or retain, or remove it");
    }
    if (given.get("nfs.mountOptions") instanceof List<?> options && !options.isEmpty()) {
      storageClass.put("mountOptions", options);
    }
    return storageClass;
  }
}
