package dev.mooring.apiserver.admit;

import static dev.mooring.apiserver.codec.JsonBodies.flagAt;
import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.kinds.model.TableColumns.defaultIfEmpty;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import java.util.Map;

record PodPriority(Store classes) {
  private static final String PREEMPT = "PreemptLowerPriority";
  private static final Map<String, Integer> SYSTEM_CLASSES =
      Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

  void setPriority(JsonObject pod) throws StatusException {
    JsonObject spec = getOrAddChild(pod, "spec");
    JsonObject priorityClass = findClass(pod);
    long priority = priorityClass.get("value").getAsLong();
    String policy = defaultIfEmpty(textAt(priorityClass, "preemptionPolicy"), PREEMPT);
    String className = textAt(priorityClass, "metadata", "name");
    if (!className.isEmpty()) {
      spec.addProperty("priorityClassName", className);
    }
    JsonElement sentPriority = valueAt(spec, "priority");
    if (sentPriority != null && sentPriority.getAsLong() != priority) {
      throw PodAdmission.makeRefusal(
          pod,
          "the integer value of priority (%s) must not be provided in pod spec; priority admission controller computed %s from the given PriorityClass name"
              .formatted(sentPriority.getAsLong(), priority));
    }
    spec.addProperty("priority", priority);
    if (!spec.has("preemptionPolicy")) {
      spec.addProperty("preemptionPolicy", policy);
    } else if (!textAt(spec, "preemptionPolicy").equals(policy)) {
      throw PodAdmission.makeRefusal(
          pod,
          "the string value of PreemptionPolicy (%s) must not be provided in pod spec; priority admission controller computed %s from the given PriorityClass name"
              .formatted(textAt(spec, "preemptionPolicy"), policy));
    }
  }

  private JsonObject findClass(JsonObject pod) throws StatusException {
    String name = textAt(pod, "spec", "priorityClassName");
    if (name.isEmpty()) {
      return findDefault();
    }
    StoredObject priorityClass = classes.get(name);
    if (priorityClass != null) {
      return priorityClass.tree();
    }
    Integer systemPriority = SYSTEM_CLASSES.get(name);
    if (systemPriority == null) {
      throw PodAdmission.makeRefusal(pod, "no PriorityClass with name " + name + " was found");
    }
    return newObject("value", systemPriority, "metadata", newObject("name", name));
  }

  // Of several global defaults, the one with the lowest value counts.
  private JsonObject findDefault() {
    JsonObject lowest = newObject("value", 0);
    boolean isFound = false;
    if (classes.size() > 0) {
      for (StoredObject priorityClass : classes.list("").objects()) {
        JsonObject tree = priorityClass.tree();
        boolean isLower = tree.get("value").getAsLong() < lowest.get("value").getAsLong();
        if (flagAt(tree, "globalDefault") && (!isFound || isLower)) {
          lowest = tree;
          isFound = true;
        }
      }
    }
    return lowest;
  }
}
