package dev.mooring.manager.simulate;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.ResourceType;

/**
 * Object of a copied cluster or of a manifest.
 *
 * @param tree the object without kind and apiVersion
 * @param origin where the object was read, for messages
 */
public record CopiedObject(ResourceType type, JsonObject tree, String origin) {
  public String name() {
    return text("name");
  }

  String namespace() {
    return type.namespaced() ? text("namespace") : "";
  }

  /** Returns whether an API server created the object: then it has a uid, and its status counts. */
  public boolean isOfCluster() {
    return !uid().isEmpty();
  }

  String uid() {
    return text("uid");
  }

  // stored trees never change, so only the metadata, which gets a new version, is copied
  JsonObject makeStorableTree() {
    JsonObject copy = new JsonObject();
    tree.entrySet().forEach(member -> copy.add(member.getKey(), member.getValue()));
    copy.add("metadata", tree.getAsJsonObject("metadata").deepCopy());
    return copy;
  }

  private String text(String member) {
    JsonElement value = tree.getAsJsonObject("metadata").get(member);
    return value == null || value.isJsonNull() ? "" : value.getAsString();
  }

  String title() {
    return type.singular() + " " + (namespace().isEmpty() ? "" : namespace() + "/") + name();
  }
}
