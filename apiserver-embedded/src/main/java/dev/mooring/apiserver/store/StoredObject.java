package dev.mooring.apiserver.store;

import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A version of an object. The tree must not change after it is stored. Encodings are computed once,
 * on first use.
 */
public final class StoredObject {
  private final String key;
  private final JsonObject tree;
  private final long version;
  private volatile byte @Nullable [] json;
  private volatile byte @Nullable [] protobuf;

  public StoredObject(String key, JsonObject tree, long version) {
    this.key = key;
    this.tree = tree;
    this.version = version;
  }

  public String key() {
    return key;
  }

  /** Returns the object without kind and apiVersion. Callers must not change it. */
  public JsonObject tree() {
    return tree;
  }

  public JsonObject copy() {
    return tree.deepCopy();
  }

  public long version() {
    return version;
  }

  public byte[] json() {
    byte[] bytes = json;
    if (bytes == null) {
      bytes = tree.toString().getBytes(StandardCharsets.UTF_8);
      json = bytes;
    }
    return bytes;
  }

  public byte[] protobuf(Function<JsonObject, byte[]> encoder) {
    byte[] bytes = protobuf;
    if (bytes == null) {
      bytes = encoder.apply(tree);
      protobuf = bytes;
    }
    return bytes;
  }
}
