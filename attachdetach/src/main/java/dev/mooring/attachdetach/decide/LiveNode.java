package dev.mooring.attachdetach.decide;

import dev.mooring.live.RawObject;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.util.List;
import java.util.Map;

/**
 * A Node as the API server returned it, with the fields that the cached {@link
 * dev.mooring.model.Node} drops.
 *
 * @param meta key, uid, version and annotations
 * @param ready status of the Ready condition; "" if there is none
 * @param bootId id of the machine's last start that the kubelet reported; "" if none
 * @param taints whole taints, so that a patch of the list loses no field
 */
public record LiveNode(Meta meta, String ready, String bootId, List<RawObject> taints) {
  public LiveNode {
    taints = List.copyOf(taints);
  }

  public static LiveNode of(ObjectKey key, Map<String, Object> members) {
    RawObject node = new RawObject(members);
    String ready = "";
    for (RawObject condition : node.at("status").objects("conditions")) {
      if (condition.text("type").equals("Ready")) {
        ready = condition.text("status");
      }
    }
    RawObject metadata = node.at("metadata");
    Meta meta =
        new Meta(
            key,
            Uid.of(metadata.text("uid")),
            parseVersion(metadata.text("resourceVersion")),
            0,
            0,
            Map.of(),
            metadata.at("annotations").texts(),
            List.of());
    return new LiveNode(
        meta, ready, node.text("status", "nodeInfo", "bootID"), node.at("spec").objects("taints"));
  }

  private static long parseVersion(String version) {
    try {
      return Long.parseLong(version);
    } catch (NumberFormatException notANumber) {
      return 0;
    }
  }

  public boolean isReady() {
    return ready.equals("True");
  }

  // a kubelet reported it before, and now reports it not ready or is silent
  boolean isNotReady() {
    return ready.equals("False") || ready.equals("Unknown");
  }
}
