package dev.mooring.it.scenario;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.it.RestApi;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Plays kube-controller-manager: writes what leads to its recorded end state, as soon as the
 * objects exist, in its order. Only for scenarios in which the recorded state of an object is final
 * once its counterparts exist.
 */
final class RecordedCluster {
  private static final String MANAGER = "?fieldManager=kube-controller-manager";
  private static final String VOLUME = "PersistentVolume";
  private static final String CLAIM = "PersistentVolumeClaim";
  private static final String METADATA = "metadata";
  private static final String SPEC = "spec";
  private static final String STATUS = "status";
  private static final String ANNOTATIONS = "annotations";
  private static final Set<String> PLAYED_STEPS = Set.of("create", "settle", "sleep", "wait");
  private static final List<String> COMPARED_KINDS =
      List.of(VOLUME, CLAIM, "VolumeAttachment", "Pod");

  /** Waits until the shadow has seen the last write. */
  @FunctionalInterface
  interface Pause {
    void await() throws Exception;
  }

  private final RestApi api;
  private final JsonObject recorded;
  private final Set<String> createdNames;
  private final Pause pause;

  RecordedCluster(RestApi api, JsonObject scenario, JsonObject recorded, Pause pause) {
    this.api = api;
    this.recorded = recorded;
    this.createdNames = namesOf(createdObjects(scenario));
    this.pause = pause;
  }

  /** Writes everything that is possible now. */
  void act() throws Exception {
    boolean isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (String kind : List.of(VOLUME, CLAIM)) {
        for (JsonObject object : api.list(kind)) {
          isChanged |= advance(kind, object); // one write for each object in turn
        }
      }
    }
  }

  private boolean advance(String kind, JsonObject object) throws Exception {
    JsonObject goal = find(kind, JsonBodies.textAt(object, METADATA, "namespace"), name(object));
    if (goal == null || object.getAsJsonObject(METADATA).has("deletionTimestamp")) {
      return false;
    }
    if (write(kind, object, "", protectionPatch(object, goal))) {
      return true;
    }
    return kind.equals(VOLUME) ? advanceVolume(object, goal) : advanceClaim(object, goal);
  }

  private boolean advanceVolume(JsonObject volume, JsonObject goal) throws Exception {
    boolean isAwaited = isClaimAwaited(goal);
    JsonObject firstPhase = firstPhase(volume, goal);
    if (!firstPhase.isEmpty()) {
      return write(VOLUME, volume, STATUS, firstPhase);
    }
    return !isAwaited && write(VOLUME, volume, "", volumePatch(volume, goal))
        || write(VOLUME, volume, STATUS, volumeStatus(volume, goal, isAwaited));
  }

  /** Returns the status that the volume has before its recorded one. */
  private static JsonObject firstPhase(JsonObject volume, JsonObject goal) {
    String phase = JsonBodies.textAt(volume, STATUS, "phase");
    String wanted = JsonBodies.textAt(goal, STATUS, "phase");
    boolean isReserved = volume.getAsJsonObject(SPEC).has("claimRef");
    if (wanted.equals("Failed") && !List.of("Released", "Failed").contains(phase)) {
      return wrap(STATUS, wrap("phase", new JsonPrimitive("Released")));
    }
    return wanted.equals("Bound") && !isReserved && List.of("", "Pending").contains(phase)
        ? wrap(STATUS, wrap("phase", new JsonPrimitive("Available")))
        : new JsonObject();
  }

  private boolean advanceClaim(JsonObject claim, JsonObject goal) throws Exception {
    if (!hasClass(goal)) {
      return false;
    }
    boolean isVolumeReady = !isToCome(VOLUME, JsonBodies.textAt(goal, SPEC, "volumeName"));
    return write(CLAIM, claim, "", difference(claim, goal, "storageClassName"))
        || write(CLAIM, claim, "", annotations(claim, goal, "volume."))
        || isVolumeReady && write(CLAIM, claim, "", claimPatch(claim, goal))
        || isVolumeReady && write(CLAIM, claim, STATUS, claimStatus(claim, goal));
  }

  private boolean hasClass(JsonObject goal) throws Exception {
    return !isToCome("StorageClass", JsonBodies.textAt(goal, SPEC, "storageClassName"));
  }

  /** Returns whether the scenario creates the object later. */
  private boolean isToCome(String kind, String name) throws Exception {
    return !name.isEmpty()
        && createdNames.contains(kind + " " + name)
        && api.list(kind).stream().noneMatch(object -> name(object).equals(name));
  }

  private boolean write(String kind, JsonObject object, String subresource, JsonObject patch)
      throws Exception {
    if (patch.isEmpty()) {
      return false;
    }
    api.patch(
        kind,
        RestApi.namespace(kind, object.getAsJsonObject(METADATA).get("namespace")),
        name(object) + (subresource.isEmpty() ? MANAGER : ""),
        subresource.isEmpty() ? "" : subresource + MANAGER,
        patch);
    pause.await();
    return true;
  }

  private JsonObject find(String kind, String namespace, String name) {
    JsonElement goal =
        recorded
            .getAsJsonObject(RestApi.plural(kind))
            .get((namespace.isEmpty() ? "" : namespace + "/") + name);
    return goal == null ? null : goal.getAsJsonObject();
  }

  private static String name(JsonObject object) {
    return JsonBodies.textAt(object, METADATA, "name");
  }

  private static JsonObject protectionPatch(JsonObject object, JsonObject goal) {
    JsonArray current = array(object.getAsJsonObject(METADATA), "finalizers");
    JsonArray wanted = array(goal.getAsJsonObject("meta"), "finalizers");
    Set<JsonElement> currentSet = new HashSet<>(current.asList());
    if (currentSet.equals(new HashSet<>(wanted.asList()))) {
      return new JsonObject();
    }
    JsonObject metadata = new JsonObject();
    metadata.add("finalizers", wanted);
    return wrap(METADATA, metadata);
  }

  private static JsonArray array(JsonObject parent, String member) {
    return parent.get(member) instanceof JsonArray array ? array : new JsonArray();
  }

  private static JsonObject wrap(String member, JsonElement value) {
    JsonObject object = new JsonObject();
    object.add(member, value);
    return object;
  }

  private static JsonObject child(JsonObject parent, String member) {
    return parent.get(member) instanceof JsonObject child ? child : new JsonObject();
  }

  private static JsonObject annotations(JsonObject object, JsonObject goal, String prefix) {
    JsonObject current = child(object.getAsJsonObject(METADATA), ANNOTATIONS);
    JsonObject wanted = child(goal.getAsJsonObject("meta"), ANNOTATIONS);
    JsonObject changes = difference(current, wanted);
    changes.keySet().removeIf(name -> !name.startsWith(prefix));
    return changes.isEmpty() ? changes : wrap(METADATA, wrap(ANNOTATIONS, changes));
  }

  private static JsonObject difference(JsonObject object, JsonObject goal, String member) {
    String wanted = JsonBodies.textAt(goal, SPEC, member);
    return wanted.isEmpty() || wanted.equals(JsonBodies.textAt(object, SPEC, member))
        ? new JsonObject()
        : wrap(SPEC, wrap(member, new JsonPrimitive(wanted)));
  }

  /** Returns the merge patch of scalar members. */
  private static JsonObject difference(JsonObject current, JsonObject wanted) {
    JsonObject changes = new JsonObject();
    wanted
        .entrySet()
        .forEach(member -> {
          if (!member.getValue().equals(current.get(member.getKey()))) {
            changes.add(member.getKey(), member.getValue());
          }
        });
    current.keySet().stream()
        .filter(member -> !wanted.has(member))
        .forEach(member -> changes.add(member, JsonNull.INSTANCE));
    return changes;
  }

  /** Returns whether the claim of the volume's recorded binding is still to be created. */
  private boolean isClaimAwaited(JsonObject goal) throws Exception {
    JsonObject reference = child(goal.getAsJsonObject(SPEC), "claimRef");
    String name = JsonBodies.textAt(reference, "name");
    JsonObject claim = find(CLAIM, JsonBodies.textAt(reference, "namespace"), name);
    if (!JsonBodies.textAt(reference, "uid").startsWith("<uid ") || claim == null) {
      return false;
    }
    JsonObject current = findClaim(reference);
    return isToCome(CLAIM, name)
        || current != null
            && !JsonBodies.textAt(current, SPEC, "storageClassName")
                .equals(JsonBodies.textAt(claim, SPEC, "storageClassName"));
  }

  private JsonObject findClaim(JsonObject reference) throws Exception {
    return findObject(
        CLAIM, JsonBodies.textAt(reference, "namespace"), JsonBodies.textAt(reference, "name"));
  }

  private JsonObject findObject(String kind, String namespace, String name) throws Exception {
    for (JsonObject object : api.list(kind)) {
      if (name(object).equals(name)
          && JsonBodies.textAt(object, METADATA, "namespace").equals(namespace)) {
        return object;
      }
    }
    return null;
  }

  private JsonObject volumePatch(JsonObject volume, JsonObject goal) throws Exception {
    JsonObject patch = annotations(volume, goal, "");
    JsonObject current = child(volume.getAsJsonObject(SPEC), "claimRef");
    JsonObject wanted = child(goal.getAsJsonObject(SPEC), "claimRef");
    if (wanted.isEmpty() != current.isEmpty()
        || wanted.has("uid") != current.has("uid")
        || !JsonBodies.textAt(wanted, "name").equals(JsonBodies.textAt(current, "name"))) {
      patch.add(SPEC, wrap("claimRef", claimRefPatch(current, wanted)));
    }
    return patch;
  }

  private JsonElement claimRefPatch(JsonObject current, JsonObject wanted) throws Exception {
    if (wanted.isEmpty()) {
      return JsonNull.INSTANCE;
    }
    JsonObject reference = wanted.deepCopy();
    JsonObject claim = findClaim(reference);
    if (!wanted.has("uid")) {
      reference.add("uid", JsonNull.INSTANCE);
    } else if (claim != null) {
      reference.add("uid", claim.getAsJsonObject(METADATA).get("uid"));
    } else {
      return current;
    }
    return reference;
  }

  private static JsonObject volumeStatus(JsonObject volume, JsonObject goal, boolean isAwaited) {
    String phase = JsonBodies.textAt(volume, STATUS, "phase");
    String wanted = isAwaited ? "Available" : JsonBodies.textAt(goal, STATUS, "phase");
    return phase.equals(wanted) || wanted.isEmpty()
        ? new JsonObject()
        : wrap(STATUS, wrap("phase", new JsonPrimitive(wanted)));
  }

  private static JsonObject claimPatch(JsonObject claim, JsonObject goal) {
    JsonObject patch = annotations(claim, goal, "");
    difference(claim, goal, "volumeName")
        .entrySet()
        .forEach(member -> patch.add(member.getKey(), member.getValue()));
    return patch;
  }

  private static JsonObject claimStatus(JsonObject claim, JsonObject goal) {
    JsonObject changes = difference(child(claim, STATUS), child(goal, STATUS));
    changes.remove("conditions");
    return changes.isEmpty() ? changes : wrap(STATUS, changes);
  }

  private static List<JsonObject> createdObjects(JsonObject scenario) {
    List<JsonObject> objects = new ArrayList<>();
    array(scenario, "objects").forEach(object -> objects.add(object.getAsJsonObject()));
    for (JsonElement step : array(scenario, "steps")) {
      if (step.getAsJsonObject().get("create") instanceof JsonObject object) {
        objects.add(object);
      }
    }
    return objects;
  }

  private static Set<String> namesOf(List<JsonObject> objects) {
    Set<String> names = new HashSet<>();
    objects.forEach(object -> names.add(JsonBodies.textAt(object, "kind") + " " + name(object)));
    return names;
  }

  /** Returns whether nothing but the objects of the scenario exists at its end. */
  static boolean canPlay(JsonObject scenario, JsonObject recorded) {
    for (JsonElement step : array(scenario, "steps")) {
      if (!PLAYED_STEPS.contains(step.getAsJsonObject().keySet().iterator().next())) {
        return false;
      }
    }
    Set<String> created = namesOf(createdObjects(scenario));
    created.removeIf(object -> !COMPARED_KINDS.contains(object.split(" ")[0]));
    Set<String> ended = new HashSet<>();
    for (String kind : COMPARED_KINDS) {
      recorded
          .getAsJsonObject(RestApi.plural(kind))
          .keySet()
          .forEach(key -> ended.add(kind + " " + key.substring(key.indexOf('/') + 1)));
    }
    return created.equals(ended);
  }
}
