package dev.mooring.attachdetach.decide;

import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Node as the API server returned it, with the fields that the cached {@link
 * dev.mooring.model.Node} drops.
 *
 * @param meta key, uid, version and annotations
 * @param ready status of the Ready condition; "" if there is none
 * @param bootId id of the machine's last start that the kubelet reported; "" if none
 * @param taints whole taints, so that a patch of the list loses no field
 */
public record LiveNode(Meta meta, String ready, String bootId, List<Map<String, Object>> taints) {
  public LiveNode {
    taints = List.copyOf(taints);
  }

  // missing and malformed members count as empty
  public static LiveNode of(ObjectKey key, Map<String, Object> node) {
    Map<String, Object> metadata = child(node, "metadata");
    Map<String, Object> status = child(node, "status");
    String ready = "";
    for (Map<String, Object> condition : children(status, "conditions")) {
      if (text(condition, "type").equals("Ready")) {
        ready = text(condition, "status");
      }
    }
    return new LiveNode(
        metaOf(key, metadata),
        ready,
        text(child(status, "nodeInfo"), "bootID"),
        children(child(node, "spec"), "taints"));
  }

  private static Meta metaOf(ObjectKey key, Map<String, Object> metadata) {
    Map<String, String> annotations = new HashMap<>();
    child(metadata, "annotations")
        .forEach((name, value) -> annotations.put(name, String.valueOf(value)));
    return new Meta(
        key,
        Uid.of(text(metadata, "uid")),
        parseVersion(text(metadata, "resourceVersion")),
        0,
        0,
        Map.of(),
        Map.copyOf(annotations),
        List.of());
  }

  private static long parseVersion(String version) {
    try {
      return Long.parseLong(version);
    } catch (NumberFormatException notANumber) {
      return 0;
    }
  }

  private static Map<String, Object> child(Map<String, Object> parent, String name) {
    return toMembers(parent.get(name));
  }

  private static List<Map<String, Object>> children(Map<String, Object> parent, String name) {
    List<Map<String, Object>> children = new ArrayList<>();
    if (parent.get(name) instanceof List<?> elements) {
      elements.forEach(element -> children.add(toMembers(element)));
    }
    return children;
  }

  private static Map<String, Object> toMembers(@Nullable Object value) {
    Map<String, Object> members = new HashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, member) -> {
        if (member != null) {
          members.put(String.valueOf(name), member);
        }
      });
    }
    return members;
  }

  static String text(Map<String, Object> parent, String name) {
    return parent.get(name) instanceof String text ? text : "";
  }

  public boolean isReady() {
    return ready.equals("True");
  }

  // a kubelet reported it before, and now reports it not ready or is silent
  boolean isNotReady() {
    return ready.equals("False") || ready.equals("Unknown");
  }
}
