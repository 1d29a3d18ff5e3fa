package dev.mooring.manager.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Translates the values of nfs-subdir-external-provisioner's chart (4.0). Rejects values that the
 * chart does not know. Pure function.
 */
final class NfsSubdirValues {
  private static final String TAKEN = "";
  private static final String NOT_NEEDED = "Mooring does not need it";
  private static final String ANOTHER_PROGRAM = "it concerns another program";

  /** Every value of the chart, with the reason why it has no counterpart, or {@link #TAKEN}. */
  private static final Map<String, String> KNOWN =
      Map.ofEntries(
          Map.entry("replicaCount", TAKEN),
          Map.entry("strategyType", "leader election allows replicas to overlap"),
          Map.entry("image.repository", ANOTHER_PROGRAM),
          Map.entry("image.tag", ANOTHER_PROGRAM),
          Map.entry("image.pullPolicy", ANOTHER_PROGRAM),
          Map.entry("imagePullSecrets", TAKEN),
          Map.entry("nfs.server", TAKEN),
          Map.entry("nfs.path", TAKEN),
          Map.entry("nfs.mountOptions", TAKEN),
          Map.entry("nfs.volumeName", NOT_NEEDED),
          Map.entry("nfs.reclaimPolicy", NOT_NEEDED),
          Map.entry("storageClass.create", TAKEN),
          Map.entry("storageClass.provisionerName", TAKEN),
          Map.entry("storageClass.defaultClass", TAKEN),
          Map.entry("storageClass.name", TAKEN),
          Map.entry("storageClass.allowVolumeExpansion", TAKEN),
          Map.entry("storageClass.reclaimPolicy", TAKEN),
          Map.entry("storageClass.archiveOnDelete", TAKEN),
          Map.entry("storageClass.onDelete", TAKEN),
          Map.entry("storageClass.pathPattern", TAKEN),
          Map.entry("storageClass.accessModes", "claims specify them"),
          Map.entry("storageClass.volumeBindingMode", TAKEN),
          Map.entry("storageClass.annotations", TAKEN),
          Map.entry("leaderElection.enabled", "Mooring's chart always elects a leader"),
          Map.entry("rbac.create", TAKEN),
          Map.entry("podSecurityPolicy.enabled", "Kubernetes has removed PodSecurityPolicy"),
          Map.entry("podAnnotations", TAKEN),
          Map.entry("podSecurityContext", TAKEN),
          Map.entry("securityContext", TAKEN),
          Map.entry("priorityClassName", TAKEN),
          Map.entry("serviceAccount.create", TAKEN),
          Map.entry("serviceAccount.name", TAKEN),
          Map.entry("serviceAccount.annotations", TAKEN),
          Map.entry("resources", ANOTHER_PROGRAM),
          Map.entry("nodeSelector", TAKEN),
          Map.entry("tolerations", TAKEN),
          Map.entry("affinity", TAKEN),
          Map.entry("labels", TAKEN),
          Map.entry("podDisruptionBudget.enabled", TAKEN),
          Map.entry(
              "podDisruptionBudget.maxUnavailable", "at most one replica is disrupted at a time"),
          Map.entry("nameOverride", TAKEN),
          Map.entry("fullnameOverride", TAKEN));

  /** Values with the same meaning in both charts: theirs, ours. */
  private static final Map<String, List<String>> SAME =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("replicaCount", List.of("replicas")),
              Map.entry("imagePullSecrets", List.of("image", "pullSecrets")),
              Map.entry("nfs.server", List.of("nfs", "server")),
              Map.entry("rbac.create", List.of("rbac", "create")),
              Map.entry("podAnnotations", List.of("podAnnotations")),
              Map.entry("priorityClassName", List.of("priorityClassName")),
              Map.entry("serviceAccount.create", List.of("serviceAccount", "create")),
              Map.entry("serviceAccount.name", List.of("serviceAccount", "name")),
              Map.entry("serviceAccount.annotations", List.of("serviceAccount", "annotations")),
              Map.entry("nodeSelector", List.of("nodeSelector")),
              Map.entry("tolerations", List.of("tolerations")),
              Map.entry("affinity", List.of("affinity")),
              Map.entry("labels", List.of("podLabels")),
              Map.entry("podDisruptionBudget.enabled", List.of("podDisruptionBudget", "enabled"))));

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
    NfsSubdirValues all = new NfsSubdirValues(release);
    all.read("", values);
    if (!all.unknown.isEmpty()) {
      throw new UsageException(
          "the chart of %s has no values %s: remove them"
              .formatted(CHART, String.join(", ", all.unknown)));
    }
    return all.migrated();
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

  private Migrated migrated() throws UsageException {
    text("nfs.server", null);
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("mode", "beside");
    SAME.forEach((theirs, ours) -> {
      Object value = given.get(theirs);
      if (value != null) {
        put(values, value, ours);
      }
    });
    put(values, text("nfs.path", "/nfs-storage"), List.of("nfs", "path"));
    put(values, provisioner(), List.of("nfs", "provisionerName"));
    put(values, user(), List.of("nfs", "runAsUser"));
    Optional<Map<String, Object>> storageClass =
        truth("storageClass.create", true) ? Optional.of(storageClass()) : Optional.empty();
    if (storageClass.isEmpty()) {
      notes.add("storageClass.create is false: existing classes remain usable");
    }
    if (given.get("nfs.mountOptions") instanceof List<?> options && !options.isEmpty()) {
      notes.add(
          "nfs.mountOptions apply to the class only; for Mooring's own mount, create a claim for a volume with these options and set nfs.claim");
    }
    KNOWN.entrySet().stream()
        .filter(known -> !known.getValue().isEmpty() && given.containsKey(known.getKey()))
        .map(known -> known.getKey() + " is not supported: " + known.getValue())
        .sorted()
        .forEach(notes::add);
    return new Migrated(values, storageClass, List.copyOf(notes));
  }

  @SuppressWarnings("unchecked") // only this method creates the nested maps
  private static void put(Map<String, Object> values, Object value, List<String> path) {
    Map<String, Object> at = values;
    for (String name : path.subList(0, path.size() - 1)) {
      at = (Map<String, Object>) at.computeIfAbsent(name, n -> new LinkedHashMap<String, Object>());
    }
    at.put(path.getLast(), value);
  }

  private String text(String path, @Nullable String otherwise) throws UsageException {
    Object value = given.getOrDefault(path, otherwise == null ? "" : otherwise);
    if (value instanceof Map<?, ?> || value instanceof List<?> || value.toString().isEmpty()) {
      throw new UsageException(path + " is missing or not a string: the chart requires it");
    }
    return value.toString();
  }

  private boolean truth(String path, boolean otherwise) throws UsageException {
    Object value = given.getOrDefault(path, otherwise);
    if (value instanceof Boolean truth) {
      return truth;
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
    Map<String, Object> made = new LinkedHashMap<>();
    made.put("apiVersion", "storage.k8s.io/v1");
    made.put("kind", "StorageClass");
    put(made, text("storageClass.name", "nfs-client"), List.of("metadata", "name"));
    if (given.get("storageClass.annotations") instanceof Map<?, ?> annotations) {
      annotations.forEach((name, value) ->
          put(made, value, List.of("metadata", "annotations", String.valueOf(name))));
    }
    if (truth("storageClass.defaultClass", false)) {
      put(
          made,
          "true",
          List.of("metadata", "annotations", "storageclass.kubernetes.io/is-default-class"));
    }
    made.put("provisioner", provisioner());
    made.put("reclaimPolicy", text("storageClass.reclaimPolicy", "Delete"));
    made.put("allowVolumeExpansion", truth("storageClass.allowVolumeExpansion", true));
    made.put("volumeBindingMode", text("storageClass.volumeBindingMode", "Immediate"));
    boolean archives = truth("storageClass.archiveOnDelete", true);
    put(made, Boolean.toString(archives), List.of("parameters", "archiveOnDelete"));
    for (String name : List.of("pathPattern", "onDelete")) {
      String value = given.getOrDefault("storageClass." + name, "").toString();
      if (!value.isEmpty()) {
        put(made, value, List.of("parameters", name));
      }
    }
    String fate = given.getOrDefault("storageClass.onDelete", "").toString();
    if (!List.of("", "delete", "retain").contains(fate)) {
      throw new UsageException(
          "storageClass.onDelete \""
              + fate
              + "\" is unknown to the chart's provisioner, which then applies archiveOnDelete: specify delete or retain, or remove it");
    }
    if (given.get("nfs.mountOptions") instanceof List<?> options && !options.isEmpty()) {
      made.put("mountOptions", options);
    }
    return made;
  }
}
