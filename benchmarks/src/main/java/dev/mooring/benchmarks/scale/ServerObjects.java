package dev.mooring.benchmarks.scale;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Objects of an embedded server, created and read without HTTP. Texts of objects are JSON that may
 * have single quotes. Thread-safe.
 */
final class ServerObjects {
  private static final int MAX_TEXTS = 10_000;
  private static final TypeAdapter<JsonElement> JSON = new Gson().getAdapter(JsonElement.class);

  private final ObjectHandlers handlers;
  private final Map<String, String> texts = new ConcurrentHashMap<>();

  ServerObjects(ObjectHandlers handlers) {
    this.handlers = handlers;
  }

  ObjectHandlers handlers() {
    return handlers;
  }

  StoredObject create(ResourceType type, String namespace, String text) throws StatusException {
    return handlers.create(type, namespace, json(text), WriteOptions.PLAIN);
  }

  void setStatus(ResourceType type, String namespace, String name, JsonObject status)
      throws StatusException {
    handlers.update(
        type,
        namespace,
        name,
        WriteOptions.STATUS,
        current -> {
          current.add("status", status);
          return current;
        });
  }

  void createClaim(String namespace, String name, String storageClass, String size)
      throws StatusException {
    create(
        KindCatalogue.CLAIMS,
        namespace,
        "{'metadata': {'name': '%s'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': '%s', 'resources': {'requests': {'storage': '%s'}}}}"
            .formatted(name, storageClass, size));
  }

  void createNfsVolume(String name, String storageClass, String size) throws StatusException {
    create(
        KindCatalogue.VOLUMES,
        "",
        "{'metadata': {'name': '%s'}, 'spec': {'capacity': {'storage': '%s'}, 'accessModes': ['ReadWriteOnce'], 'storageClassName': '%s', 'nfs': {'server': 'n', 'path': '/'}}}"
            .formatted(name, size, storageClass));
  }

  boolean isInPhase(ResourceType type, String namespace, String name, String phase) {
    return isInPhase(
        handlers.store(type).get(ObjectHandlers.makeKey(type, namespace, name)), phase);
  }

  static boolean isInPhase(@Nullable StoredObject object, String phase) {
    return object != null && JsonBodies.textAt(object.tree(), "status", "phase").equals(phase);
  }

  JsonObject json(String text) {
    try (JsonReader in = new SharingReader(text)) {
      return JSON.read(in).getAsJsonObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Shares equal member names and frequent values. Without this, the server needs 1.5 times the
   * memory for a million similar objects.
   */
  private final class SharingReader extends JsonReader {
    SharingReader(String text) {
      super(new StringReader(text.replace('\'', '"')));
    }

    private String share(String text) {
      String sharedText = texts.get(text);
      if (sharedText == null && texts.size() < MAX_TEXTS) {
        texts.put(text, text);
      }
      return sharedText == null ? text : sharedText;
    }

    @Override
    public String nextName() throws IOException {
      return share(super.nextName());
    }

    @Override
    public String nextString() throws IOException {
      return share(super.nextString());
    }
  }
}
