package dev.mooring.apiserver.http;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.strings;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.Values;
import dev.mooring.apiserver.kinds.Catalogue;
import dev.mooring.apiserver.kinds.ResourceType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How objects go. */
final class Deletions {
  private Deletions() {}

  /** Marks the object as being deleted. True if nothing holds it and it may go at once. */
  static boolean mark(ResourceType type, JsonObject object, @Nullable Long graceSeconds) {
    JsonObject metadata = child(object, "metadata");
    long grace = type == Catalogue.PODS ? podGrace(object, graceSeconds) : 0;
    boolean held =
        !strings(metadata, "finalizers").isEmpty()
            || (type == Catalogue.NAMESPACES && !strings(object, "spec", "finalizers").isEmpty());
    if (grace == 0 && !held) {
      return true;
    }
    boolean first = text(metadata, "deletionTimestamp").isEmpty();
    JsonElement had = at(metadata, "deletionGracePeriodSeconds");
    boolean shorter = had != null && had.getAsLong() > grace;
    if (first || shorter) {
      metadata.addProperty("deletionTimestamp", Values.seconds(Instant.now().plusSeconds(grace)));
      if (type != Catalogue.NAMESPACES) {
        metadata.addProperty("deletionGracePeriodSeconds", grace);
      }
      if (first) {
        nextGeneration(object);
      }
    }
    if (type == Catalogue.NAMESPACES) {
      child(object, "status").addProperty("phase", "Terminating");
    }
    return false;
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
    return Math.max(0, grace);
  }

  static void nextGeneration(JsonObject object) {
    JsonElement generation = at(object, "metadata", "generation");
    if (generation != null) {
      child(object, "metadata").addProperty("generation", generation.getAsLong() + 1);
    }
  }

  static boolean answersWithDeletionTime(ResourceType type) {
    return type == Catalogue.PODS;
  }

  static void stamp(ResourceType type, JsonObject last) {
    JsonObject metadata = child(last, "metadata");
    if (text(metadata, "deletionTimestamp").isEmpty()) {
      metadata.addProperty("deletionTimestamp", Values.seconds(Instant.now()));
      nextGeneration(last);
    }
    metadata.addProperty("deletionGracePeriodSeconds", 0);
  }
}
