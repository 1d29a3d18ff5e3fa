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
  private static final Map<String, String> SOURCE_WARNINGS = new LinkedHashMap<>();
  private static final Map<String, String> LABEL_WARNINGS =
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
    SOURCE_WARNINGS.put("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+");
    SOURCE_WARNINGS.put("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+");
    SOURCE_WARNINGS.put("scaleIO", "deprecated in v1.16, non-functional in v1.22+");
    SOURCE_WARNINGS.put("flocker", "deprecated in v1.22, non-functional in v1.25+");
    SOURCE_WARNINGS.put("storageos", "deprecated in v1.22, non-functional in v1.25+");
    SOURCE_WARNINGS.put("quobyte", "deprecated in v1.22, non-functional in v1.25+");
    SOURCE_WARNINGS.put("glusterfs", "deprecated in v1.25, non-functional in v1.26+");
    SOURCE_WARNINGS.put("cephfs", "deprecated in v1.28, non-functional in v1.31+");
    SOURCE_WARNINGS.put("rbd", "deprecated in v1.28, non-functional in v1.31+");
  }

  private PodWarnings() {}

  static List<String> findPodWarnings(ValidatedObject pod) {
    List<String> warnings = findTemplateWarnings(pod);
    if (pod.text("metadata", "name").contains(".")) {
      warnings.add(
          "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]");
    }
    return warnings;
  }

  public static List<String> findTemplateWarnings(ValidatedObject template) {
    List<String> warnings = new ArrayList<>();
    ValidatedObject spec = template.getChild("spec");
    addPlacementWarnings(spec, warnings);
    for (ValidatedObject volume : spec.getChildren("volumes")) {
      SOURCE_WARNINGS.forEach((source, warning) -> {
        if (volume.has(source)) {
          String name = source.equals("storageos") ? "storageOS" : source;
          warnings.add(volume.path(name) + ": " + warning);
        }
      });
    }
    for (ValidatedObject volume : spec.getChildren("volumes")) {
      if (volume.has("projected") && volume.getChild("projected").isEmpty("sources")
          || volume.has("projected")
              && areAllEmpty(volume.getChild("projected").getChildren("sources"))) {
        warnings.add("volume \"" + volume.text("name") + "\" (Projected) has no sources provided");
      }
    }
    addRepetitionWarnings(spec, "hostAliases", "ip", warnings);
    addRepetitionWarnings(spec, "imagePullSecrets", "name", warnings);
    for (ValidatedObject secret : spec.getChildren("imagePullSecrets")) {
      if (secret.isEmpty("name")) {
        warnings.add(secret.path("name") + ": invalid empty name \"\"");
      }
    }
    for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
      spec.forEachChild(list, container -> addContainerWarnings(container, warnings));
    }
    addPortWarnings(spec, warnings);
    if (spec.number("terminationGracePeriodSeconds") < 0) {
      warnings.add(
          spec.path("terminationGracePeriodSeconds")
              + ": must be >= 0; negative values are invalid and will be treated as 1");
    }
    return warnings;
  }

  private static boolean areAllEmpty(List<ValidatedObject> sources) {
    return !sources.isEmpty() && sources.stream().allMatch(s -> s.object().isEmpty());
  }

  private static void addPlacementWarnings(ValidatedObject spec, List<String> warnings) {
    for (String key : spec.getChild("nodeSelector").object().keySet()) {
      if (LABEL_WARNINGS.containsKey(key)) {
        warnings.add(spec.path("nodeSelector") + "[" + key + "]: " + LABEL_WARNINGS.get(key));
      }
    }
    for (ValidatedObject constraint : spec.getChildren("topologySpreadConstraints")) {
      String key = constraint.text("topologyKey");
      if (LABEL_WARNINGS.containsKey(key)) {
        warnings.add(
            constraint.path("topologyKey") + ": " + key + " is " + LABEL_WARNINGS.get(key));
      }
      if (!constraint.has("labelSelector")) {
        warnings.add(
            constraint.path("labelSelector") + ": a null labelSelector results in matching no pod");
      }
    }
  }

  private static void addRepetitionWarnings(
      ValidatedObject spec, String list, String field, List<String> warnings) {
    Set<String> values = new HashSet<>();
    for (ValidatedObject element : spec.getChildren(list)) {
      if (!values.add(element.text(field))) {
        warnings.add(
            element.path(field) + ": duplicate " + field + " \"" + element.text(field) + "\"");
      }
    }
  }

  private static void addContainerWarnings(ValidatedObject container, List<String> warnings) {
    for (String name : List.of("memory", "ephemeral-storage")) {
      for (String amounts : List.of("limits", "requests")) {
        if (container.text("resources", amounts, name).endsWith("m")) {
          warnings.add(
              container.path("resources." + amounts)
                  + "["
                  + name
                  + "]: fractional byte value \""
                  + container.text("resources", amounts, name)
                  + "\" is invalid, must be an integer");
        }
      }
    }
    Set<String> names = new HashSet<>();
    for (ValidatedObject variable : container.getChildren("env")) {
      String name = variable.text("name");
      String value = variable.text("value");
      String reference = "$(" + name + ")";
      boolean hidesPrevious = value.equals(reference) || !value.contains(reference);
      if (!names.add(name) && (hidesPrevious || variable.has("valueFrom"))) {
        warnings.add(
            variable.field()
                + ": hides previous definition of \""
                + name
                + "\", which may be dropped when using apply");
      }
    }
  }

  private static void addPortWarnings(ValidatedObject spec, List<String> warnings) {
    Map<String, List<ValidatedObject>> byNumber = new HashMap<>();
    Map<String, ValidatedObject> byName = new HashMap<>();
    List<String> nameWarnings = new ArrayList<>();
    for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
      for (ValidatedObject container : spec.getChildren(list)) {
        for (ValidatedObject port : container.getChildren("ports")) {
          List<ValidatedObject> portsOfNumber =
              byNumber.computeIfAbsent(
                  port.number("containerPort") + "/" + port.text("protocol"),
                  k -> new ArrayList<>());
          portsOfNumber.forEach(other -> addOverlapWarning(port, other, warnings));
          portsOfNumber.add(port);
          ValidatedObject other = byName.putIfAbsent(port.text("name"), port);
          if (!port.isEmpty("name") && other != null) {
            nameWarnings.add(
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
    warnings.addAll(nameWarnings);
  }

  private static void addOverlapWarning(
      ValidatedObject port, ValidatedObject other, List<String> warnings) {
    boolean hasSameHostPort = port.number("hostPort") == other.number("hostPort");
    if (hasSameHostPort && port.text("hostIP").equals(other.text("hostIP"))) {
      warnings.add(port.field() + ": duplicate port definition with " + other.field());
    } else if (port.number("hostPort") == 0 || other.number("hostPort") == 0) {
      warnings.add(port.field() + ": overlapping port definition with " + other.field());
    } else if (hasSameHostPort && port.isEmpty("hostIP") != other.isEmpty("hostIP")) {
      warnings.add(port.field() + ": dangerously ambiguous port definition with " + other.field());
    }
  }
}
