package dev.mooring.apiserver.http.request;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

final class MetadataCorrections {
  private MetadataCorrections() {}

  static Optional<String> dedupeOwners(JsonObject object) {
    if (!(at(object, "metadata", "ownerReferences") instanceof JsonArray owners)) {
      return Optional.empty();
    }
    Set<JsonElement> different = new LinkedHashSet<>();
    Set<String> twice = new LinkedHashSet<>();
    for (JsonElement owner : owners) {
      if (!different.add(owner)) {
        twice.add(text(owner.getAsJsonObject(), "uid"));
      }
    }
    if (twice.isEmpty()) {
      return Optional.empty();
    }
    JsonArray remaining = new JsonArray();
    different.forEach(remaining::add);
    object.getAsJsonObject("metadata").add("ownerReferences", remaining);
    return Optional.of(
        ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: "
            + String.join(", ", twice));
  }
}
