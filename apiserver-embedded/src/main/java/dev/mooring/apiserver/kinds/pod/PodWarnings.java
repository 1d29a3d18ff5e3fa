package dev.mooring.apiserver.kinds.pod;

import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

public final class PodWarnings {
  private static final Map<String, String> SOURCES = new LinkedHashMap<>();
  private static final Map<String, String> LABELS =
      Map.of(
          "beta.kubernetes.io/arch", "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
          "beta.kubernetes.io/os", "deprecated since v1.14; use \"kubernetes.io/os\" instead",
          "failure-domain.beta.kubernetes.io/region",
              "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
          "failure-domain.beta.kubernetes.io/zone",
              "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
          "beta.kubernetes.io/instance-type",
              "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead");

  static {
    SOURCES.put("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+");
    SOURCES.put("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+");
    SOURCES.put("scaleIO", "deprecated in v1.16, non-functional in v1.22+");
    SOURCES.put("flocker", "deprecated in v1.22, non-functional in v1.25+");
    SOURCES.put("storageos", "deprecated in v1.22, non-functional in v1.25+");
    SOURCES.put("quobyte", "deprecated in v1.22, non-functional in v1.25+");
    SOURCES.put("glusterfs", "deprecated in v1.25, non-functional in v1.26+");
    SOURCES.put("cephfs", "deprecated in v1.28, non-functional in v1.31+");
    SOURCES.put("rbd", "deprecated in v1.28, non-functional in v1.31+");
  }

  private PodWarnings() {}

  static List<String> findPodWarnings(ValidatedObject pod) {
    List<String> all = findTemplateWarnings(pod);
    if (pod.text("metadata", "name").contains(".")) {
      all.add(
          "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]");
    }
    return all;
  }

  public static List<String> findTemplateWarnings(ValidatedObject template) {
    List<String> all = new ArrayList<>();
    ValidatedObject spec = template.child("spec");
    addPlacementWarnings(spec, all);
    for (ValidatedObject volume : spec.children("volumes")) {
      SOURCES.forEach((source, why) -> {
        if (volume.has(source)) {
          String name = source.equals("storageos") ? "storageOS" : source;
          all.add(volume.path(name) + ": " + why);
        }
      });
    }
    for (ValidatedObject volume : spec.children("volumes")) {
      if (volume.has("projected") && volume.child("projected").isEmpty("sources")
          || volume.has("projected")
              && areAllEmpty(volume.child("projected").children("sources"))) {
        all.add("volume \"" + volume.text("name") + "\" (Projected) has no sources provided");
      }
    }
    addRepetitionWarnings(spec, "hostAliases", "ip", all);
    addRepetitionWarnings(spec, "imagePullSecrets", "name", all);
    for (ValidatedObject secret : spec.children("imagePullSecrets")) {
      if (secret.isEmpty("name")) {
        all.add(secret.path("name") + ": invalid empty name \"\"");
      }
    }
    for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
      spec.each(list, container -> addContainerWarnings(container, all));
    }
    addPortWarnings(spec, all);
    if (spec.number("terminationGracePeriodSeconds") < 0) {
      all.add(
          spec.path("terminationGracePeriodSeconds")
              + ": must be >= 0; negative values are invalid and will be treated as 1");
    }
    return all;
  }

  private static boolean areAllEmpty(List<ValidatedObject> sources) {
    return !sources.isEmpty() && sources.stream().allMatch(s -> s.object().isEmpty());
  }

  private static void addPlacementWarnings(ValidatedObject spec, List<String> all) {
    for (String key : spec.child("nodeSelector").object().keySet()) {
      if (LABELS.containsKey(key)) {
        all.add(spec.path("nodeSelector") + "[" + key + "]: " + LABELS.get(key));
      }
    }
    for (ValidatedObject constraint : spec.children("topologySpreadConstraints")) {
      String key = constraint.text("topologyKey");
      if (LABELS.containsKey(key)) {
        all.add(constraint.path("topologyKey") + ": " + key + " is " + LABELS.get(key));
      }
      if (!constraint.has("labelSelector")) {
        all.add(
            constraint.path("labelSelector") + ": a null labelSelector results in matching no pod");
      }
    }
  }

  private static void addRepetitionWarnings(
      ValidatedObject spec, String list, String field, List<String> all) {
    Set<String> seen = new HashSet<>();
    for (ValidatedObject one : spec.children(list)) {
      if (!seen.add(one.text(field))) {
        all.add(one.path(field) + ": duplicate " + field + " \"" + one.text(field) + "\"");
      }
    }
  }

  private static void addContainerWarnings(ValidatedObject container, List<String> all) {
    for (String name : List.of("memory", "ephemeral-storage")) {
      for (String kind : List.of("limits", "requests")) {
        if (container.text("resources", kind, name).endsWith("m")) {
          all.add(
              container.path("resources." + kind)
                  + "["
                  + name
                  + "]: fractional byte value \""
                  + container.text("resources", kind, name)
                  + "\" is invalid, must be an integer");
        }
      }
    }
    Set<String> seen = new HashSet<>();
    for (ValidatedObject variable : container.children("env")) {
      String name = variable.text("name");
      String value = variable.text("value");
      String reference = "$(" + name + ")";
      boolean hides = value.equals(reference) || !value.contains(reference);
      if (!seen.add(name) && (hides || variable.has("valueFrom"))) {
        all.add(
            variable.field()
                + ": hides previous definition of \""
                + name
                + "\", which may be dropped when using apply");
      }
    }
  }

  private static void addPortWarnings(ValidatedObject spec, List<String> all) {
    Map<String, List<ValidatedObject>> byNumber = new HashMap<>();
    Map<String, ValidatedObject> byName = new HashMap<>();
    List<String> names = new ArrayList<>();
    for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
      for (ValidatedObject container : spec.children(list)) {
        for (ValidatedObject port : container.children("ports")) {
          List<ValidatedObject> others =
              byNumber.computeIfAbsent(
                  port.number("containerPort") + "/" + port.text("protocol"),
                  k -> new ArrayList<>());
          others.forEach(other -> addOverlapWarning(port, other, all));
          others.add(port);
          ValidatedObject other = byName.putIfAbsent(port.text("name"), port);
          if (!port.isEmpty("name") && other != null) {
            names.add(
                port.field()
                    + ": duplicate port name \""
                    + port.text("name")
                    + "\" with "
                    + other.field()
                    + ", services and probes that select ports by name will use "
                    + other.field());
          }
        }
      }
    }
    all.addAll(names);
  }

  private static void addOverlapWarning(
      ValidatedObject port, ValidatedObject other, List<String> all) {
    boolean sameHost = port.number("hostPort") == other.number("hostPort");
    if (sameHost && port.text("hostIP").equals(other.text("hostIP"))) {
      all.add(port.field() + ": duplicate port definition with " + other.field());
    } else if (port.number("hostPort") == 0 || other.number("hostPort") == 0) {
      all.add(port.field() + ": overlapping port definition with " + other.field());
    } else if (sameHost && port.isEmpty("hostIP") != other.isEmpty("hostIP")) {
      all.add(port.field() + ": dangerously ambiguous port definition with " + other.field());
    }
  }
}
