package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.handle.WriteOptions.PropagationPolicy;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class ObjectDeletion {
  private static final String ORPHAN = "orphan";
  private static final String FOREGROUND = "foregroundDeletion";
  private static final long MAX_SECONDS = 9_223_372_036L; // of Go's durations

  private ObjectDeletion() {}

  /** Marks the object as terminating. Returns true if the store can remove it now. */
  static boolean markTerminating(
      ResourceType type, JsonObject object, WriteOptions options, Instant now) {
    JsonObject metadata = getOrAddChild(object, "metadata");
    if (type == KindCatalogue.DEFINITIONS) {
      return markDefinition(object, metadata, now);
    }
    if (type == KindCatalogue.PODS && isAlreadyTerminating(metadata, options.graceSeconds())) {
      return false;
    }
    if (type != KindCatalogue.EVENTS && type != KindCatalogue.NEW_EVENTS) {
      // the garbage collector ignores events
      setCollectorFinalizers(metadata, options.propagation());
    }
    long graceSeconds =
        type == KindCatalogue.PODS ? computePodGrace(object, options.graceSeconds()) : 0;
    boolean hasFinalizers =
        !stringsAt(metadata, "finalizers").isEmpty()
            || (type == KindCatalogue.NAMESPACES
                && !stringsAt(object, "spec", "finalizers").isEmpty());
    if (graceSeconds == 0 && !hasFinalizers) {
      return true;
    }
    boolean isFirstDeletion = textAt(metadata, "deletionTimestamp").isEmpty();
    JsonElement oldGrace = valueAt(metadata, "deletionGracePeriodSeconds");
    boolean isShorter = oldGrace != null && oldGrace.getAsLong() > graceSeconds;
    if (isFirstDeletion || isShorter) {
      metadata.addProperty(
          "deletionTimestamp",
          CanonicalValues.formatSeconds(now.plusSeconds(Math.min(graceSeconds, MAX_SECONDS))));
      if (type != KindCatalogue.NAMESPACES) {
        metadata.addProperty("deletionGracePeriodSeconds", graceSeconds);
      }
      if (isFirstDeletion) {
        incrementGeneration(object);
      }
    }
    if (type == KindCatalogue.NAMESPACES) {
      getOrAddChild(object, "status").addProperty("phase", "Terminating");
    }
    return false;
  }

  /**
   * Returns whether the pod is already terminating and the request does not shorten its grace
   * period.
   */
  private static boolean isAlreadyTerminating(
      JsonObject metadata, @Nullable Long requestedSeconds) {
    JsonElement currentGrace = valueAt(metadata, "deletionGracePeriodSeconds");
    if (currentGrace == null || textAt(metadata, "deletionTimestamp").isEmpty()) {
      return false;
    }
    return requestedSeconds == null
        || (requestedSeconds < 0 ? 1 : requestedSeconds) >= currentGrace.getAsLong();
  }

  // A definition keeps a finalizer of the server until its objects are deleted.
  private static boolean markDefinition(JsonObject object, JsonObject metadata, Instant now) {
    if (textAt(metadata, "deletionTimestamp").isEmpty()) {
      List<String> finalizers = new ArrayList<>(stringsAt(metadata, "finalizers"));
      finalizers.remove(CustomResources.CLEANUP_FINALIZER);
      finalizers.add(CustomResources.CLEANUP_FINALIZER);
      JsonArray list = new JsonArray();
      finalizers.forEach(list::add);
      metadata.add("finalizers", list);
      metadata.addProperty("deletionTimestamp", CanonicalValues.formatSeconds(now));
      CustomResources.setCondition(
          object,
          "Terminating",
          true,
          "InstanceDeletionPending",
          "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon");
    }
    return false;
  }

  // Sets the garbage collector's finalizers as the propagation policy requires.
  private static void setCollectorFinalizers(JsonObject metadata, PropagationPolicy policy) {
    if (policy == PropagationPolicy.DEFAULT) {
      return;
    }
    List<String> oldFinalizers = stringsAt(metadata, "finalizers");
    List<String> newFinalizers = new ArrayList<>(oldFinalizers);
    newFinalizers.removeAll(List.of(ORPHAN, FOREGROUND));
    if (policy == PropagationPolicy.ORPHAN) {
      newFinalizers.add(ORPHAN);
    } else if (policy == PropagationPolicy.FOREGROUND) {
      newFinalizers.add(FOREGROUND);
    }
    if (!newFinalizers.equals(oldFinalizers)) {
      JsonArray list = new JsonArray();
      newFinalizers.forEach(list::add);
      metadata.add("finalizers", list);
      if (newFinalizers.isEmpty()) {
        metadata.remove("finalizers");
      }
    }
  }

  private static long computePodGrace(JsonObject pod, @Nullable Long requestedSeconds) {
    String phase = textAt(pod, "status", "phase");
    if (textAt(pod, "spec", "nodeName").isEmpty()
        || phase.equals("Succeeded")
        || phase.equals("Failed")) {
      return 0;
    }
    JsonElement podGrace = valueAt(pod, "spec", "terminationGracePeriodSeconds");
    long graceSeconds =
        requestedSeconds != null ? requestedSeconds : podGrace != null ? podGrace.getAsLong() : 30;
    return graceSeconds < 0 ? 1 : graceSeconds;
  }

  static void incrementGeneration(JsonObject object) {
    JsonElement generation = valueAt(object, "metadata", "generation");
    if (generation != null) {
      getOrAddChild(object, "metadata").addProperty("generation", generation.getAsLong() + 1);
    }
  }

  static boolean isDeletedGracefully(ResourceType type) {
    return type == KindCatalogue.PODS;
  }

  static void setFinalDeletionTime(JsonObject object, Instant now) {
    JsonObject metadata = getOrAddChild(object, "metadata");
    if (textAt(metadata, "deletionTimestamp").isEmpty()) {
      metadata.addProperty("deletionTimestamp", CanonicalValues.formatSeconds(now));
      incrementGeneration(object);
    }
    metadata.addProperty("deletionGracePeriodSeconds", 0);
  }
}
