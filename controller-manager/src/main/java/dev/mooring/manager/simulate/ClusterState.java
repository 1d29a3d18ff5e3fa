package dev.mooring.manager.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.store.StoredObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The objects that are compared before and after a change, by key. */
public record ClusterState(Map<ResourceType, Map<String, JsonObject>> objects) {
  private static final List<ResourceType> COMPARED =
      List.of(
          KindCatalogue.CLAIMS,
          KindCatalogue.VOLUMES,
          KindCatalogue.PODS,
          KindCatalogue.ATTACHMENTS);
  private static final Set<String> SNAPSHOTS =
      Set.of(
          "volumesnapshots",
          "volumesnapshotcontents",
          "volumegroupsnapshots",
          "volumegroupsnapshotcontents");

  public static ClusterState of(ObjectHandlers handlers) {
    Map<ResourceType, Map<String, JsonObject>> objects = new LinkedHashMap<>();
    for (ResourceType type : listTypes(handlers)) {
      Map<String, JsonObject> trees = new TreeMap<>();
      for (StoredObject object : handlers.store(type).list("").objects()) {
        trees.put(object.key(), object.tree());
      }
      objects.put(type, trees);
    }
    return new ClusterState(objects);
  }

  private static List<ResourceType> listTypes(ObjectHandlers handlers) {
    return Stream.concat(
            COMPARED.stream(),
            handlers.getCustomResources().getTypes().stream()
                .filter(type -> SNAPSHOTS.contains(type.plural()) && type.version().equals("v1")))
        .toList();
  }

  public List<ObjectChange> changesTo(ClusterState after) {
    List<ObjectChange> changes = new ArrayList<>();
    Set<ResourceType> types = new LinkedHashSet<>(objects.keySet());
    types.addAll(after.objects.keySet());
    for (ResourceType type : types) {
      Map<String, JsonObject> old = objects.getOrDefault(type, Map.of());
      Map<String, JsonObject> current = after.objects.getOrDefault(type, Map.of());
      TreeSet<String> keys = new TreeSet<>(old.keySet());
      keys.addAll(current.keySet());
      for (String key : keys) {
        describe(type, old.get(key), current.get(key))
            .ifPresent(text -> changes.add(new ObjectChange(type.singular(), key, text)));
      }
    }
    return changes;
  }

  private static Optional<String> describe(
      ResourceType type, @Nullable JsonObject old, @Nullable JsonObject current) {
    if (old == current) {
      return Optional.empty(); // an unchanged object of the store
    }
    if (current == null) {
      return Optional.of("gone");
    }
    String currentText = summarize(type, current);
    if (old == null) {
      return Optional.of("new: " + currentText);
    }
    boolean isSame = textAt(old, "metadata", "uid").equals(textAt(current, "metadata", "uid"));
    String oldText = summarize(type, old);
    boolean isChanged = !oldText.equals(currentText);
    // whether an attachment stays depends on how soon the next pod of its node starts
    if (!isSame && (isChanged || type != KindCatalogue.ATTACHMENTS)) {
      return Optional.of("created again: " + oldText + " -> " + currentText);
    }
    return isChanged ? Optional.of(oldText + " -> " + currentText) : Optional.empty();
  }

  private static String summarize(ResourceType type, JsonObject object) {
    String phase = textAt(object, "status", "phase");
    String state =
        textAt(object, "metadata", "deletionTimestamp").isEmpty() ? phase : "Terminating";
    if (type == KindCatalogue.CLAIMS) {
      return join(
          state,
          prefix("to ", textAt(object, "spec", "volumeName")),
          textAt(object, "status", "capacity", "storage"));
    }
    if (type == KindCatalogue.VOLUMES) {
      String claim = textAt(object, "spec", "claimRef", "name");
      return join(
          state,
          prefix("to ", prefix(textAt(object, "spec", "claimRef", "namespace") + "/", claim)),
          textAt(object, "spec", "capacity", "storage"));
    }
    if (type == KindCatalogue.PODS) {
      return join(state, prefix("on ", textAt(object, "spec", "nodeName")));
    }
    if (SNAPSHOTS.contains(type.plural())) {
      String readiness =
          textAt(object, "status", "readyToUse").equals("true") ? "ready" : "not ready";
      return state.isEmpty() ? readiness : state;
    }
    return join(
        textAt(object, "status", "attached").equals("true") ? "attached" : "not attached",
        prefix("to ", textAt(object, "spec", "nodeName")),
        prefix("with ", textAt(object, "spec", "source", "persistentVolumeName")));
  }

  private static String prefix(String prefix, String text) {
    return text.isEmpty() ? "" : prefix + text;
  }

  private static String join(String... parts) {
    return String.join(" ", Arrays.stream(parts).filter(part -> !part.isEmpty()).toList());
  }
}
