package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.store.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * In-tree volumes that are migrated to CSI drivers. A kubelet whose node runs the driver waits for
 * their VolumeAttachments.
 */
final class MigratedVolumes {
  private static final Map<String, String> DRIVERS =
      Map.of(
          "awsElasticBlockStore", "ebs.csi.aws.com",
          "azureDisk", "disk.csi.azure.com",
          "cinder", "cinder.csi.openstack.org",
          "gcePersistentDisk", "pd.csi.storage.gke.io",
          "portworxVolume", "pxd.portworx.com",
          "vsphereVolume", "csi.vsphere.vmware.com");
  private static final List<String> ID_FIELDS =
      List.of("volumeID", "pdName", "diskURI", "volumePath");

  private MigratedVolumes() {}

  static boolean areAttached(ObjectHandlers handlers, JsonObject pod, List<String> claims) {
    String node = textAt(pod, "spec", "nodeName");
    for (String name : claims) {
      StoredObject claim =
          handlers
              .store(KindCatalogue.CLAIMS)
              .get(textAt(pod, "metadata", "namespace") + "/" + name);
      String volume = claim == null ? "" : textAt(claim.tree(), "spec", "volumeName");
      StoredObject object =
          volume.isEmpty() ? null : handlers.store(KindCatalogue.VOLUMES).get(volume);
      if (object != null
          && isDriverOnNode(handlers, node, object.tree().getAsJsonObject("spec"))
          && !isAttached(handlers, node, s -> textAt(s, "persistentVolumeName").equals(volume))) {
        return false;
      }
    }
    if (valueAt(pod, "spec", "volumes") instanceof JsonArray volumes) {
      for (JsonElement element : volumes) {
        JsonObject volume = element.getAsJsonObject();
        if (isDriverOnNode(handlers, node, volume)
            && !isAttached(handlers, node, s -> isSourceOf(s, volume))) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isDriverOnNode(ObjectHandlers handlers, String node, JsonObject volume) {
    StoredObject csiNode = handlers.store(KindCatalogue.CSI_NODES).get(node);
    if (csiNode == null
        || !(valueAt(csiNode.tree(), "spec", "drivers") instanceof JsonArray drivers)) {
      return false;
    }
    return DRIVERS.entrySet().stream()
        .filter(type -> volume.has(type.getKey()))
        .anyMatch(type ->
            drivers.asList().stream()
                .anyMatch(d -> textAt(d.getAsJsonObject(), "name").equals(type.getValue())));
  }

  private static boolean isSourceOf(JsonObject source, JsonObject volume) {
    String handle = textAt(source, "inlineVolumeSpec", "csi", "volumeHandle");
    return DRIVERS.keySet().stream()
        .filter(volume::has)
        .map(volume::getAsJsonObject)
        .flatMap(volumeSource -> ID_FIELDS.stream().map(id -> textAt(volumeSource, id)))
        .anyMatch(id -> !id.isEmpty() && handle.contains(id));
  }

  private static boolean isAttached(
      ObjectHandlers handlers, String node, Predicate<JsonObject> source) {
    return handlers.store(KindCatalogue.ATTACHMENTS).list("").objects().stream()
        .map(StoredObject::tree)
        .filter(a -> textAt(a, "spec", "nodeName").equals(node))
        .filter(a -> source.test(a.getAsJsonObject("spec").getAsJsonObject("source")))
        .anyMatch(a -> textAt(a, "status", "attached").equals("true"));
  }
}
