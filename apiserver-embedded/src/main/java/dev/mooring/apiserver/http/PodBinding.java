package dev.mooring.apiserver.http;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;

/** A pod that is given a node. */
final class PodBinding {
  private PodBinding() {}

  /** The pod on that node; refused where it cannot be bound. */
  static JsonObject bound(JsonObject pod, String name, String node, JsonObject binding)
      throws Problem {
    String uid = text(binding, "metadata", "uid");
    if (!uid.isEmpty() && !uid.equals(text(pod, "metadata", "uid"))) {
      throw conflict(
          name,
          "Precondition failed: UID in precondition: "
              + uid
              + ", UID in object meta: "
              + text(pod, "metadata", "uid"));
    }
    if (!text(pod, "metadata", "deletionTimestamp").isEmpty()) {
      throw conflict(name, "pod " + name + " is being deleted, cannot be assigned to a host");
    }
    if (at(pod, "spec", "schedulingGates") instanceof JsonArray gates && !gates.isEmpty()) {
      throw conflict(name, "pod " + name + " has non-empty .spec.schedulingGates");
    }
    String already = text(pod, "spec", "nodeName");
    if (!already.isEmpty()) {
      throw conflict(name, "pod " + name + " is already assigned to node \"" + already + "\"");
    }
    child(pod, "spec").addProperty("nodeName", node);
    if (at(binding, "metadata", "annotations") instanceof JsonObject annotations) {
      annotations
          .entrySet()
          .forEach(e -> child(pod, "metadata", "annotations").add(e.getKey(), e.getValue()));
    }
    StatusConditions.set(pod, "PodScheduled", "True");
    return pod;
  }

  private static Problem conflict(String name, String why) {
    return Problem.conflict(KindCatalogue.PODS, "binding", name, why);
  }
}
