package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

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

  private ObjectDeletion() {}

  /** Marks the object as terminating. Returns true if the store can remove it now. */
  static boolean markTerminating(
      ResourceType type, JsonObject object, WriteOptions options, Instant now) {
    JsonObject metadata = child(object, "metadata");
    if (type == KindCatalogue.DEFINITIONS) {
      return markDefinition(object, metadata, now);
    }
    if (type == KindCatalogue.PODS && isPending(metadata, options.graceSeconds())) {
      return false;
    }
    if (type != KindCatalogue.EVENTS && type != KindCatalogue.NEW_EVENTS) {
      // the garbage collector ignores events
      setCollectorFinalizers(metadata, options.propagation());
    }
    long grace = type == KindCatalogue.PODS ? computePodGrace(object, options.graceSeconds()) : 0;
    boolean held =
        !strings(metadata, "finalizers").isEmpty()
            || (type == KindCatalogue.NAMESPACES
                && !strings(object, "spec", "finalizers").isEmpty());
    if (grace == 0 && !held) {
      return true;
    }
    boolean first = text(metadata, "deletionTimestamp").isEmpty();
    JsonElement had = at(metadata, "deletionGracePeriodSeconds");
    boolean shorter = had != null && had.getAsLong() > grace;
    if (first || shorter) {
      metadata.addProperty(
          "deletionTimestamp", CanonicalValues.formatSeconds(now.plusSeconds(grace)));
      if (type != KindCatalogue.NAMESPACES) {
        metadata.addProperty("deletionGracePeriodSeconds", grace);
      }
      if (first) {
        nextGeneration(object);
      }
    }
    if (type == KindCatalogue.NAMESPACES) {
      child(object, "status").addProperty("phase", "Terminating");
    }
    return false;
  }

  /**
   * Returns whether the pod is already terminating and the request does not shorten its grace
   * period.
   */
  private static boolean isPending(JsonObject metadata, @Nullable Long requested) {
    JsonElement left = at(metadata, "deletionGracePeriodSeconds");
    if (left == null || text(metadata, "deletionTimestamp").isEmpty()) {
      return false;
    }
    return requested == null || (requested < 0 ? 1 : requested) >= left.getAsLong();
  }

  // A definition keeps a finalizer of the server until its objects are deleted.
  private static boolean markDefinition(JsonObject object, JsonObject metadata, Instant now) {
    if (text(metadata, "deletionTimestamp").isEmpty()) {
      List<String> finalizers = new ArrayList<>(strings(metadata, "finalizers"));
      finalizers.remove(CustomResources.CLEANUP);
      finalizers.add(CustomResources.CLEANUP);
      JsonArray list = new JsonArray();
      finalizers.forEach(list::add);
      metadata.add("finalizers", list);
      metadata.addProperty("deletionTimestamp", CanonicalValues.formatSeconds(now));
      CustomResources.set(
          object,
          "Terminating",
          true,
          "InstanceDeletionPending",
          "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon");
    }
    return false;
  }

  // Sets the garbage collector's finalizers as the propagation policy requires.
  private static void setCollectorFinalizers(JsonObject metadata, PropagationPolicy how) {
    if (how == PropagationPolicy.DEFAULT) {
      return;
    }
    List<String> before = strings(metadata, "finalizers");
    List<String> now = new ArrayList<>(before);
    now.removeAll(List.of(ORPHAN, FOREGROUND));
    if (how == PropagationPolicy.ORPHAN) {
      now.add(ORPHAN);
    } else if (how == PropagationPolicy.FOREGROUND) {
      now.add(FOREGROUND);
    }
    if (!now.equals(before)) {
      JsonArray list = new JsonArray();
      now.forEach(list::add);
      metadata.add("finalizers", list);
      if (now.isEmpty()) {
        metadata.remove("finalizers");
      }
    }
  }

  private static long computePodGrace(JsonObject pod, @Nullable Long requested) {
    String phase = text(pod, "status", "phase");
    if (text(pod, "spec", "nodeName").isEmpty()
        || phase.equals("Succeeded")
        || phase.equals("Failed")) {
      return 0;
    }
    JsonElement own = at(pod, "spec", "terminationGracePeriodSeconds");
    long grace = requested != null ? requested : own != null ? own.getAsLong() : 30;
    return grace < 0 ? 1 : grace;
  }

  static void nextGeneration(JsonObject object) {
    JsonElement generation = at(object, "metadata", "generation");
    if (generation != null) {
      child(object, "metadata").addProperty("generation", generation.getAsLong() + 1);
    }
  }

  static boolean includesDeletionTime(ResourceType type) {
    return type == KindCatalogue.PODS;
  }

  static void setFinalDeletionTime(JsonObject last, Instant now) {
    JsonObject metadata = child(last, "metadata");
    if (text(metadata, "deletionTimestamp").isEmpty()) {
      metadata.addProperty("deletionTimestamp", CanonicalValues.formatSeconds(now));
      nextGeneration(last);
    }
    metadata.addProperty("deletionGracePeriodSeconds", 0);
  }
}
