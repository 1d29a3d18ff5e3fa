package dev.mooring.apiserver.kinds.pod;

import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class PodWarnings {
  private static final Map<String, String> SOURCES = new LinkedHashMap<>();

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

  public static List<String> findTemplateWarnings(ValidatedObject template) {
    List<String> all = new ArrayList<>();
    ValidatedObject spec = template.child("spec");
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
              && hasOnlyEmpty(volume.child("projected").children("sources"))) {
        all.add("volume \"" + volume.text("name") + "\" (Projected) has no sources provided");
      }
    }
    for (ValidatedObject secret : spec.children("imagePullSecrets")) {
      if (secret.isEmpty("name")) {
        all.add(secret.path("name") + ": invalid empty name \"\"");
      }
    }
    addPortWarnings(spec, all);
    return all;
  }

  private static boolean hasOnlyEmpty(List<ValidatedObject> sources) {
    return !sources.isEmpty() && sources.stream().allMatch(s -> s.object().isEmpty());
  }

  private static void addPortWarnings(ValidatedObject spec, List<String> all) {
    Map<String, ValidatedObject> ports = new HashMap<>();
    for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
      for (ValidatedObject container : spec.children(list)) {
        for (ValidatedObject port : container.children("ports")) {
          ValidatedObject other =
              ports.putIfAbsent(
                  String.join(
                      "/",
                      port.text("containerPort"),
                      port.text("protocol"),
                      port.text("hostIP"),
                      port.text("hostPort")),
                  port);
          if (other != null) {
            all.add(port.field() + ": duplicate port definition with " + other.field());
          }
        }
      }
    }
  }
}
