package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.apply.FieldOwnership;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.store.StoredObject;
import org.jspecify.annotations.Nullable;

/** Effect of an update on the stored object. For one attempt. */
final class UpdateOutcome {
  boolean isOutdated; // the object has changed since the update was prepared
  @Nullable StoredObject finalState;

  @Nullable JsonObject choose(ObjectUpdate update, JsonObject object, StoredObject current) {
    if (!update.options().manager().isEmpty()) {
      FieldOwnership.retainTimestamps(current.tree(), object);
    }
    if (object.equals(current.tree())) {
      return current.tree();
    }
    if (isFinalized(update.type(), object)) {
      finalState = new StoredObject(current.key(), object, current.version());
      return update.options().dryRun() ? object : null;
    }
    return object;
  }

  // Returns whether a terminating object can be removed.
  private static boolean isFinalized(ResourceType type, JsonObject object) {
    JsonObject metadata = getOrAddChild(object, "metadata");
    if (textAt(metadata, "deletionTimestamp").isEmpty()
        || !stringsAt(metadata, "finalizers").isEmpty()) {
      return false;
    }
    JsonElement gracePeriod = valueAt(metadata, "deletionGracePeriodSeconds");
    boolean hasGrace = gracePeriod != null && gracePeriod.getAsLong() > 0;
    return !hasGrace
        && (type != KindCatalogue.NAMESPACES || stringsAt(object, "spec", "finalizers").isEmpty());
  }
}
