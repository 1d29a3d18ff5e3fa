package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.Values;
import dev.mooring.apiserver.handle.WriteOptions.Propagation;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How objects go. */
final class Deletions {
  private static final String ORPHAN = "orphan";
  private static final String FOREGROUND = "foregroundDeletion";

  private Deletions() {}

  /** Marks the object as being deleted. True if nothing holds it and it may go at once. */
  static boolean mark(ResourceType type, JsonObject object, WriteOptions options, Instant now) {
    JsonObject metadata = child(object, "metadata");
    if (type == KindCatalogue.DEFINITIONS) {
      return markDefinition(object, metadata, now);
    }
    if (type == KindCatalogue.PODS && isPending(metadata, options.graceSeconds())) {
      return false;
    }
    if (type != KindCatalogue.EVENTS && type != KindCatalogue.NEW_EVENTS) {
      spread(metadata, options.propagation()); // nothing is ever collected for an event
    }
    long grace = type == KindCatalogue.PODS ? podGrace(object, options.graceSeconds()) : 0;
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
      metadata.addProperty("deletionTimestamp", Values.seconds(now.plusSeconds(grace)));
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

  /** Whether a pod is going as it is, and not asked to go any sooner. */
  private static boolean isPending(JsonObject metadata, @Nullable Long asked) {
    JsonElement left = at(metadata, "deletionGracePeriodSeconds");
    if (left == null || text(metadata, "deletionTimestamp").isEmpty()) {
      return false;
    }
    return asked == null || (asked < 0 ? 1 : asked) >= left.getAsLong();
  }

  /** A definition goes when its resources have; the server's own finalizer sees to that. */
  private static boolean markDefinition(JsonObject object, JsonObject metadata, Instant now) {
    if (text(metadata, "deletionTimestamp").isEmpty()) {
      List<String> finalizers = new ArrayList<>(strings(metadata, "finalizers"));
      finalizers.remove(Customs.CLEANUP);
      finalizers.add(Customs.CLEANUP);
      JsonArray list = new JsonArray();
      finalizers.forEach(list::add);
      metadata.add("finalizers", list);
      metadata.addProperty("deletionTimestamp", Values.seconds(now));
      Customs.set(
          object,
          "Terminating",
          true,
          "InstanceDeletionPending",
          "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon");
    }
    return false;
  }

  /** The garbage collector waits for finalizers; the wish decides which of them there are. */
  private static void spread(JsonObject metadata, Propagation how) {
    if (how == Propagation.UNSAID) {
      return;
    }
    List<String> before = strings(metadata, "finalizers");
    List<String> now = new ArrayList<>(before);
    now.removeAll(List.of(ORPHAN, FOREGROUND));
    if (how == Propagation.ORPHAN) {
      now.add(ORPHAN);
    } else if (how == Propagation.FOREGROUND) {
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

  private static long podGrace(JsonObject pod, @Nullable Long asked) {
    String phase = text(pod, "status", "phase");
    if (text(pod, "spec", "nodeName").isEmpty()
        || phase.equals("Succeeded")
        || phase.equals("Failed")) {
      return 0;
    }
    JsonElement own = at(pod, "spec", "terminationGracePeriodSeconds");
    long grace = asked != null ? asked : own != null ? own.getAsLong() : 30;
    return grace < 0 ? 1 : grace;
  }

  static void nextGeneration(JsonObject object) {
    JsonElement generation = at(object, "metadata", "generation");
    if (generation != null) {
      child(object, "metadata").addProperty("generation", generation.getAsLong() + 1);
    }
  }

  static boolean answersWithDeletionTime(ResourceType type) {
    return type == KindCatalogue.PODS;
  }

  static void stamp(JsonObject last, Instant now) {
    JsonObject metadata = child(last, "metadata");
    if (text(metadata, "deletionTimestamp").isEmpty()) {
      metadata.addProperty("deletionTimestamp", Values.seconds(now));
      nextGeneration(last);
    }
    metadata.addProperty("deletionGracePeriodSeconds", 0);
  }
}
