package dev.mooring.apiserver.store;

import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One version of one object. The tree is frozen: nobody may change it after it was stored.
 * Encodings are made once, on first use.
 */
public final class Stored {
  private final String key;
  private final JsonObject tree;
  private final long version;
  private volatile byte @Nullable [] json;
  private volatile byte @Nullable [] protobuf;

  /** A version of an object; the tree carries the version in its metadata. */
  public Stored(String key, JsonObject tree, long version) {
    this.key = key;
    this.tree = tree;
    this.version = version;
  }

  /** namespace/name. */
  public String key() {
    return key;
  }

  /** The object, without kind and apiVersion. Not to be changed. */
  public JsonObject tree() {
    return tree;
  }

  /** A copy to change. */
  public JsonObject copy() {
    return tree.deepCopy();
  }

  /** Its resourceVersion. */
  public long version() {
    return version;
  }

  /** The tree as JSON, without kind and apiVersion. */
  public byte[] json() {
    byte[] bytes = json;
    if (bytes == null) {
      bytes = tree.toString().getBytes(StandardCharsets.UTF_8);
      json = bytes;
    }
    return bytes;
  }

  /** The tree as a protobuf message. */
  public byte[] protobuf(Function<JsonObject, byte[]> encoder) {
    byte[] bytes = protobuf;
    if (bytes == null) {
      bytes = encoder.apply(tree);
      protobuf = bytes;
    }
    return bytes;
  }
}
