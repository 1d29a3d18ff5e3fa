package dev.mooring.it.sim;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.SnapshotResources;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.Journal;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.wire.BodyDecoder;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The embedded API server without HTTP: the same verbs, rules and resource versions, but repeatable
 * uids.
 */
final class SimServer {
  /** A second namespace. No event in {@code ns} may name its objects. */
  static final String RIVAL = "rival";

  private static final Gson GSON = new GsonBuilder().serializeNulls().create();
  private static final Map<Kind<?>, ResourceType> TYPES =
      Map.ofEntries(
          Map.entry(Kind.VOLUME, KindCatalogue.VOLUMES),
          Map.entry(Kind.CLAIM, KindCatalogue.CLAIMS),
          Map.entry(Kind.CLAIM_LABELS, KindCatalogue.CLAIMS),
          Map.entry(Kind.POD, KindCatalogue.PODS),
          Map.entry(Kind.SECRET, KindCatalogue.SECRETS),
          Map.entry(Kind.STORAGE_CLASS, KindCatalogue.CLASSES),
          Map.entry(Kind.NODE, KindCatalogue.NODES),
          Map.entry(Kind.ATTACHMENT, KindCatalogue.ATTACHMENTS),
          Map.entry(Kind.CSI_DRIVER, KindCatalogue.CSI_DRIVERS),
          Map.entry(Kind.CSI_NODE, KindCatalogue.CSI_NODES),
          Map.entry(Kind.ATTRIBUTES_CLASS, KindCatalogue.ATTRIBUTES_CLASSES),
          Map.entry(Kind.STORAGE_CAPACITY, KindCatalogue.CAPACITIES));

  private final Random random;
  private final SimClock clock;
  private ObjectHandlers verbs;
  private final Map<StoredObject, Resource> decodedObjects =
      Collections.synchronizedMap(new WeakHashMap<>());

  SimServer(Random random, SimClock clock) {
    this.random = random;
    this.clock = clock;
    this.verbs = newVerbs(new AtomicLong(1), Map.of());
    for (String namespace : List.of("ns", RIVAL, "kube-node-lease")) {
      requireSuccess(() ->
          verbs.create(
              KindCatalogue.NAMESPACES,
              "",
              json("{'metadata':{'name':'" + namespace + "'}}"),
              WriteOptions.PLAIN));
    }
  }

  private ObjectHandlers newVerbs(
      AtomicLong versions, Map<ResourceType, Map<String, JsonObject>> objects) {
    Map<ResourceType, Store> stores = new HashMap<>();
    for (ResourceType type : KindCatalogue.ALL) {
      if (!type.isAlias()) {
        Store store = new Store(type.qualifiedName(), versions, Journal.NONE);
        store.restore(objects.getOrDefault(type, Map.of()));
        stores.put(type, store);
      }
    }
    KindCatalogue.shareStores(stores);
    return new ObjectHandlers(
        stores, () -> new UUID(random.nextLong(), random.nextLong()), clock::instant);
  }

  /**
   * Backup of all objects.
   *
   * @param version the newest resource version
   * @param objects objects by type and key
   */
  record Backup(long version, Map<ResourceType, Map<String, JsonObject>> objects) {}

  /** Returns a backup of the current objects. */
  Backup backup() {
    Map<ResourceType, Map<String, JsonObject>> objectsByType = new HashMap<>();
    for (ResourceType type : KindCatalogue.ALL) {
      Map<String, JsonObject> objects = new TreeMap<>();
      verbs.store(type).list("").objects().forEach(o -> objects.put(o.key(), o.copy()));
      objectsByType.put(type, objects);
    }
    return new Backup(verbs.store(KindCatalogue.VOLUMES).version(), objectsByType);
  }

  /** Restores all objects and the resource version of the backup. */
  void restore(Backup backup) {
    verbs = newVerbs(new AtomicLong(backup.version()), backup.objects());
  }

  /** A request that the server may reject. */
  @FunctionalInterface
  interface Write {
    StoredObject run() throws StatusException;
  }

  static JsonObject json(String text) {
    return GSON.fromJson(text.replace('\'', '"'), JsonObject.class);
  }

  private static void requireSuccess(Write write) {
    try {
      write.run();
    } catch (StatusException refusal) {
      throw new IllegalStateException(refusal.getMessage(), refusal);
    }
  }

  /** Installs the kinds of snapshots and group snapshots. */
  void installSnapshots() {
    SnapshotResources.install(verbs);
    SnapshotResources.installGroups(verbs);
  }

  /** Installs the ReferenceGrant kind. */
  void installGrants() {
    requireSuccess(() ->
        verbs.create(
            KindCatalogue.DEFINITIONS,
            "",
            json(
                "{'kind':'CustomResourceDefinition','apiVersion':'apiextensions.k8s.io/v1','metadata':{'name':'referencegrants.gateway.networking.k8s.io','annotations':{'api-approved.kubernetes.io':'unapproved, for tests'}},'spec':{'group':'gateway.networking.k8s.io','scope':'Namespaced','names':{'plural':'referencegrants','kind':'ReferenceGrant'},'versions':[{'name':'v1beta1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}]}}"),
            WriteOptions.PLAIN));
  }

  /**
   * Gives a claim a source claim of another namespace, as a server with the feature gate
   * CrossNamespaceVolumeDataSource accepts.
   */
  void addSource(ObjectKey claim, ObjectKey source) {
    JsonObject ref =
        json(
            "{'apiGroup':null,'kind':'PersistentVolumeClaim','name':'%s','namespace':'%s'}"
                .formatted(source.name(), source.namespace()));
    store(Kind.CLAIM)
        .<RuntimeException>write(
            ObjectHandlers.makeKey(KindCatalogue.CLAIMS, claim.namespace(), claim.name()),
            current -> {
              JsonObject copy = current.copy();
              copy.getAsJsonObject("spec").add("dataSourceRef", ref);
              return copy;
            });
  }

  private ResourceType type(Kind<?> kind) {
    ResourceType knownType = TYPES.get(kind);
    return knownType == null
        ? verbs.findType(kind.group(), kind.version(), kind.plural()).orElseThrow()
        : knownType;
  }

  Store store(Kind<?> kind) {
    return verbs.store(type(kind));
  }

  static <T extends Resource> T decode(Kind<T> kind, StoredObject stored) {
    try {
      return BodyDecoder.decodeObject(kind, new ByteArrayInputStream(stored.json()), false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the current object; null if it does not exist. */
  <T extends Resource> T find(Kind<T> kind, ObjectKey key) {
    StoredObject stored =
        store(kind).get(ObjectHandlers.makeKey(type(kind), key.namespace(), key.name()));
    return stored == null ? null : decodeOnce(kind, stored);
  }

  <T extends Resource> List<T> list(Kind<T> kind) {
    List<T> objects = new ArrayList<>();
    store(kind).list("").objects().forEach(stored -> objects.add(decodeOnce(kind, stored)));
    return objects;
  }

  /** Returns the object with all members; null if it does not exist. */
  Map<String, Object> findMembers(Kind<?> kind, ObjectKey key) {
    StoredObject stored =
        store(kind).get(ObjectHandlers.makeKey(type(kind), key.namespace(), key.name()));
    return stored == null
        ? null
        : members(GSON.fromJson(new String(stored.json(), UTF_8), JsonObject.class));
  }

  private static Map<String, Object> members(JsonObject object) {
    Map<String, Object> members = new LinkedHashMap<>();
    object.entrySet().forEach(e -> members.put(e.getKey(), value(e.getValue())));
    return members;
  }

  private static Object value(JsonElement element) {
    if (element instanceof JsonObject object) {
      return members(object);
    }
    if (element instanceof JsonArray array) {
      return array.asList().stream().map(SimServer::value).toList();
    }
    if (element instanceof JsonPrimitive primitive && primitive.isBoolean()) {
      return primitive.getAsBoolean();
    }
    if (element instanceof JsonPrimitive primitive && primitive.isNumber()) {
      return primitive.getAsLong();
    }
    return element.isJsonNull() ? null : element.getAsString();
  }

  /** Decodes each version only once, since kubelets and drivers read all objects in most steps. */
  @SuppressWarnings("unchecked") // a version has one kind, except for the partial kinds above
  private <T extends Resource> T decodeOnce(Kind<T> kind, StoredObject stored) {
    if (kind.equals(Kind.CLAIM_LABELS) || kind.type().isAssignableFrom(PartialObject.class)) {
      return decode(kind, stored);
    }
    return (T) decodedObjects.computeIfAbsent(stored, version -> decode(kind, version));
  }

  /** Creates an object as a user or another component. A rejection has no effect. */
  void create(Kind<?> kind, String namespace, String text) {
    ignoreRejection(() -> verbs.create(type(kind), namespace, json(text), WriteOptions.PLAIN));
  }

  /** Merge-patches an object as a user or another component. A rejection has no effect. */
  void change(Kind<?> kind, ObjectKey key, String patch) {
    ignoreRejection(() -> merge(kind, key, json(patch), WriteOptions.PLAIN.asPatch()));
  }

  /** Merge-patches an object's status as another component. A rejection has no effect. */
  void changeStatus(Kind<?> kind, ObjectKey key, String patch) {
    ignoreRejection(() -> merge(kind, key, json(patch), WriteOptions.STATUS.asPatch()));
  }

  /** Binds a pod to a node, as the scheduler does. */
  void bind(ObjectKey pod, String node) {
    ignoreRejection(() -> {
      verbs.bind(
          pod.namespace(),
          pod.name(),
          json("{'target':{'kind':'Node','name':'" + node + "'}}"),
          WriteOptions.PLAIN);
      return verbs.get(KindCatalogue.PODS, pod.namespace(), pod.name());
    });
  }

  /** Deletes an object with a grace period of 0. */
  void deleteNow(Kind<?> kind, ObjectKey key) {
    ignoreRejection(() -> verbs.delete(type(kind), key.namespace(), key.name(), WriteOptions.NOW));
  }

  /** Deletes an object as a user. */
  void delete(Kind<?> kind, ObjectKey key) {
    ignoreRejection(
        () -> verbs.delete(type(kind), key.namespace(), key.name(), WriteOptions.PLAIN));
  }

  private static void ignoreRejection(Write write) {
    try {
      write.run();
    } catch (StatusException refusal) {
      // other clients are rejected in production too
    }
  }

  private StoredObject merge(Kind<?> kind, ObjectKey key, JsonObject patch, WriteOptions options)
      throws StatusException {
    return verbs.update(
        type(kind), key.namespace(), key.name(), options, current -> merge(current, patch));
  }

  private static JsonObject merge(JsonObject target, JsonObject patch) {
    for (Map.Entry<String, JsonElement> entry : patch.entrySet()) {
      JsonElement value = entry.getValue();
      if (value.isJsonNull()) {
        target.remove(entry.getKey());
      } else if (value instanceof JsonObject members) {
        JsonObject present =
            target.get(entry.getKey()) instanceof JsonObject there ? there : new JsonObject();
        target.add(entry.getKey(), merge(present, members));
      } else {
        target.add(entry.getKey(), value);
      }
    }
    return target;
  }

  <T extends Resource> WriteResult<T> patch(
      Kind<T> kind, ObjectKey key, Document patch, boolean status) {
    WriteOptions options = status ? WriteOptions.STATUS.asPatch() : WriteOptions.PLAIN.asPatch();
    return result(
        kind, () -> merge(kind, key, GSON.toJsonTree(patch.members()).getAsJsonObject(), options));
  }

  <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object) {
    JsonObject tree =
        GSON.toJsonTree(object.set(key.name(), "metadata", "name").members()).getAsJsonObject();
    return result(kind, () -> verbs.create(type(kind), key.namespace(), tree, WriteOptions.PLAIN));
  }

  <T extends Resource> WriteResult<T> delete(Kind<T> kind, ObjectKey key, Uid uid, long version) {
    String sentVersion = version == 0 ? null : Long.toString(version);
    WriteOptions options = WriteOptions.PLAIN.withPreconditions(uid.toString(), sentVersion);
    WriteResult<T> result =
        result(kind, () -> verbs.delete(type(kind), key.namespace(), key.name(), options));
    return result instanceof WriteResult.Written<T>(T last) && last.meta().finalizers().isEmpty()
        ? new WriteResult.Gone<>()
        : result;
  }

  private static <T extends Resource> WriteResult<T> result(Kind<T> kind, Write write) {
    try {
      return new WriteResult.Written<>(decode(kind, write.run()));
    } catch (StatusException refusal) {
      return switch (refusal.code()) {
        case 404 -> new WriteResult.Gone<>();
        case 409 -> new WriteResult.Conflict<>(String.valueOf(refusal.getMessage()));
        default ->
            String.valueOf(refusal.getMessage()).contains("metadata.uid")
                ? new WriteResult.Conflict<>(refusal.getMessage())
                : new WriteResult.Rejected<>(refusal.code(), String.valueOf(refusal.getMessage()));
      };
    }
  }
}
