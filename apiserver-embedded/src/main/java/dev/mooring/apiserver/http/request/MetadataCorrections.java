package dev.mooring.apiserver.http.request;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

final class MetadataCorrections {
  private MetadataCorrections() {}

  static Optional<String> removeDuplicateOwners(JsonObject object) {
    if (!(valueAt(object, "metadata", "ownerReferences") instanceof JsonArray owners)) {
      return Optional.empty();
    }
    Set<JsonElement> uniqueOwners = new LinkedHashSet<>();
    Set<String> duplicateUids = new LinkedHashSet<>();
    for (JsonElement owner : owners) {
      if (!uniqueOwners.add(owner)) {
        duplicateUids.add(textAt(owner.getAsJsonObject(), "uid"));
      }
    }
    if (duplicateUids.isEmpty()) {
      return Optional.empty();
    }
    JsonArray remaining = new JsonArray();
    uniqueOwners.forEach(remaining::add);
    object.getAsJsonObject("metadata").add("ownerReferences", remaining);
    return Optional.of(
        ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: "
            + String.join(", ", duplicateUids));
  }
}
