package dev.mooring.manager.shadow;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;

/** Sketches a cached pod: its claims, node and phase, without containers that may hold secrets. */
final class PodSketch {
  private PodSketch() {}

  static JsonObject of(Pod pod) {
    JsonObject metadata = new JsonObject();
    metadata.addProperty("name", pod.meta().name());
    metadata.addProperty("namespace", pod.key().namespace());
    JsonArray volumes = new JsonArray();
    JsonArray containers = new JsonArray();
    for (String claim : pod.claims()) {
      JsonObject source = new JsonObject();
      source.addProperty("claimName", claim);
      JsonObject volume = new JsonObject();
      volume.addProperty("name", "v" + volumes.size());
      volume.add("persistentVolumeClaim", source);
      volumes.add(volume);
    }
    JsonObject container = new JsonObject();
    container.addProperty("name", "c");
    container.addProperty("image", "i");
    containers.add(container);
    JsonObject spec = new JsonObject();
    spec.add("containers", containers);
    spec.add("volumes", volumes);
    if (!pod.nodeName().isEmpty()) {
      spec.addProperty("nodeName", pod.nodeName());
    }
    JsonObject object = new JsonObject();
    object.addProperty("apiVersion", Kind.POD.apiVersion());
    object.addProperty("kind", Kind.POD.kind());
    object.add("metadata", metadata);
    object.add("spec", spec);
    if (pod.isFinished()) {
      JsonObject status = new JsonObject();
      status.addProperty("phase", pod.phase() == Pod.Phase.FAILED ? "Failed" : "Succeeded");
      object.add("status", status);
    }
    return object;
  }
}
