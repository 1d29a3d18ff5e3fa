package dev.mooring.it;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A minimal REST client for tests; it maps kinds to paths and has no typed model. */
public final class RestApi {
  /** An error response of the server. */
  public static final class ErrorResponse extends Exception {
    private static final long serialVersionUID = 1L;
    private final int code;

    ErrorResponse(int code, String body) {
      super("HTTP " + code + ": " + body.substring(0, Math.min(300, body.length())));
      this.code = code;
    }

    public int code() {
      return code;
    }
  }

  private static final String CORE = "/api/v1";
  private static final String SNAPSHOTS = "/apis/snapshot.storage.k8s.io/v1";
  private static final String GROUP_SNAPSHOTS = "/apis/groupsnapshot.storage.k8s.io/v1";
  private static final String STORAGE = "/apis/storage.k8s.io/v1";

  record ResourcePath(String base, String plural, boolean namespaced) {}

  private static final Map<String, ResourcePath> PATHS =
      Map.ofEntries(
          Map.entry("PersistentVolume", new ResourcePath(CORE, "persistentvolumes", false)),
          Map.entry(
              "PersistentVolumeClaim", new ResourcePath(CORE, "persistentvolumeclaims", true)),
          Map.entry("Pod", new ResourcePath(CORE, "pods", true)),
          Map.entry("Node", new ResourcePath(CORE, "nodes", false)),
          Map.entry("Event", new ResourcePath(CORE, "events", true)),
          Map.entry("Namespace", new ResourcePath(CORE, "namespaces", false)),
          Map.entry("Secret", new ResourcePath(CORE, "secrets", true)),
          Map.entry("ConfigMap", new ResourcePath(CORE, "configmaps", true)),
          Map.entry("StatefulSet", new ResourcePath("/apis/apps/v1", "statefulsets", true)),
          Map.entry("StorageClass", new ResourcePath(STORAGE, "storageclasses", false)),
          Map.entry("VolumeAttachment", new ResourcePath(STORAGE, "volumeattachments", false)),
          Map.entry("CSINode", new ResourcePath(STORAGE, "csinodes", false)),
          Map.entry("CSIDriver", new ResourcePath(STORAGE, "csidrivers", false)),
          Map.entry("CSIStorageCapacity", new ResourcePath(STORAGE, "csistoragecapacities", true)),
          Map.entry(
              "VolumeAttributesClass", new ResourcePath(STORAGE, "volumeattributesclasses", false)),
          Map.entry("VolumeSnapshot", new ResourcePath(SNAPSHOTS, "volumesnapshots", true)),
          Map.entry(
              "VolumeSnapshotContent",
              new ResourcePath(SNAPSHOTS, "volumesnapshotcontents", false)),
          Map.entry(
              "VolumeSnapshotClass", new ResourcePath(SNAPSHOTS, "volumesnapshotclasses", false)),
          Map.entry(
              "VolumeGroupSnapshot",
              new ResourcePath(GROUP_SNAPSHOTS, "volumegroupsnapshots", true)),
          Map.entry(
              "VolumeGroupSnapshotContent",
              new ResourcePath(GROUP_SNAPSHOTS, "volumegroupsnapshotcontents", false)),
          Map.entry(
              "VolumeGroupSnapshotClass",
              new ResourcePath(GROUP_SNAPSHOTS, "volumegroupsnapshotclasses", false)),
          Map.entry(
              "ReferenceGrant",
              new ResourcePath("/apis/gateway.networking.k8s.io/v1beta1", "referencegrants", true)),
          Map.entry(
              "CustomResourceDefinition",
              new ResourcePath(
                  "/apis/apiextensions.k8s.io/v1", "customresourcedefinitions", false)),
          Map.entry("Lease", new ResourcePath("/apis/coordination.k8s.io/v1", "leases", true)));

  record Answer(int status, String body) {}

  interface Transport {
    Answer send(String method, String path, String contentType, String body)
        throws IOException, InterruptedException;
  }

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Transport transport;
  private final Optional<ObjectHandlers> handlers;

  private RestApi(Transport transport, Optional<ObjectHandlers> handlers) {
    this.transport = transport;
    this.handlers = handlers;
  }

  /** Connects to a server without TLS. */
  public RestApi(String url, String token) {
    this(transportOf(url, token), Optional.empty());
  }

  private static Transport transportOf(String url, String token) {
    return (method, path, contentType, body) -> send(url + path, token, method, contentType, body);
  }

  /**
   * Connects to a server of this process. Reads of objects skip HTTP, because tests that poll send
   * more requests than the controllers.
   */
  public static RestApi of(ApiServer server, String token) {
    return new RestApi(transportOf(server.url(), token), Optional.of(server.handlers()));
  }

  /** Connects to the server of a kubeconfig. */
  public static RestApi of(Path kubeconfig) throws IOException {
    return new RestApi(new KubeconfigTransport(kubeconfig), Optional.empty());
  }

  private static Answer send(
      String url, String token, String method, String contentType, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url)).header("Accept", "application/json");
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    if (!contentType.isEmpty()) {
      request.header("Content-Type", contentType);
    }
    request.method(
        method,
        body.isEmpty()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body));
    HttpResponse<String> response =
        HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body());
  }

  public static String plural(String kind) {
    return PATHS.get(kind).plural();
  }

  public static boolean isNamespaced(String kind) {
    return PATHS.get(kind).namespaced();
  }

  /**
   * Returns the namespace of an object: "" for a cluster-scoped kind, "default" if {@code
   * namespace} is absent.
   */
  public static String namespace(String kind, JsonElement namespace) {
    return !isNamespaced(kind)
        ? ""
        : namespace == null || namespace.isJsonNull() ? "default" : namespace.getAsString();
  }

  public String path(String kind, String namespace, String name) {
    ResourcePath resource = PATHS.get(kind);
    return resource.base()
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + "/"
        + resource.plural()
        + (name.isEmpty() ? "" : "/" + name);
  }

  private JsonObject call(String method, String path, String contentType, String body)
      throws ErrorResponse, IOException, InterruptedException {
    Answer response = transport.send(method, path, contentType, body);
    if (response.status() >= 300) {
      throw new ErrorResponse(response.status(), response.body());
    }
    return JsonParser.parseString(response.body()).getAsJsonObject();
  }

  // The stored form of an event differs from the served one.
  private Optional<ResourceType> findDirectType(String kind) {
    if (handlers.isEmpty() || kind.equals("Event")) {
      return Optional.empty();
    }
    ResourcePath path = PATHS.get(kind);
    String[] segments = path.base().split("/");
    String group = segments.length == 4 ? segments[2] : "";
    return handlers.get().findType(group, segments[segments.length - 1], path.plural());
  }

  private static JsonObject copyServed(ResourceType type, StoredObject object) {
    JsonObject tree = object.copy();
    tree.addProperty("apiVersion", type.apiVersion());
    tree.addProperty("kind", type.kind());
    return tree;
  }

  public List<JsonObject> list(String kind)
      throws ErrorResponse, IOException, InterruptedException {
    Optional<ResourceType> type = findDirectType(kind);
    if (type.isPresent()) {
      return handlers.orElseThrow().store(type.get()).list("").objects().stream()
          .map(StoredObject::copy)
          .toList();
    }
    List<JsonObject> objects = new ArrayList<>();
    call("GET", path(kind, "", ""), "", "")
        .getAsJsonArray("items")
        .forEach(item -> objects.add(item.getAsJsonObject()));
    return objects;
  }

  /** Returns the revision of the storage, which every write to any object changes. */
  public String revision() throws ErrorResponse, IOException, InterruptedException {
    if (handlers.isPresent()) {
      return Long.toString(handlers.get().store(KindCatalogue.NODES).version());
    }
    return call("GET", path("Node", "", "") + "?limit=1", "", "")
        .getAsJsonObject("metadata")
        .get("resourceVersion")
        .getAsString();
  }

  /** Returns the raw body at a path. */
  public String text(String path) throws ErrorResponse, IOException, InterruptedException {
    Answer response = transport.send("GET", path, "", "");
    if (response.status() >= 300) {
      throw new ErrorResponse(response.status(), response.body());
    }
    return response.body();
  }

  public JsonObject get(String kind, String namespace, String name)
      throws ErrorResponse, IOException, InterruptedException {
    Optional<ResourceType> type = findDirectType(kind);
    if (type.isEmpty()) {
      return call("GET", path(kind, namespace, name), "", "");
    }
    try {
      return copyServed(type.get(), handlers.orElseThrow().get(type.get(), namespace, name));
    } catch (StatusException e) {
      throw new ErrorResponse(e.code(), e.status().toString());
    }
  }

  /** Creates an object; sets a given status through the status subresource. */
  public JsonObject create(JsonObject object)
      throws ErrorResponse, IOException, InterruptedException {
    String kind = object.get("kind").getAsString();
    JsonObject metadata = object.getAsJsonObject("metadata");
    String namespace = namespace(kind, metadata.get("namespace"));
    JsonObject created =
        call("POST", path(kind, namespace, ""), "application/json", object.toString());
    if (object.has("status")
        && List.of("PersistentVolume", "PersistentVolumeClaim", "Node", "Pod", "VolumeAttachment")
            .contains(kind)) {
      JsonObject status = new JsonObject();
      status.add("status", object.get("status"));
      patch(kind, namespace, metadata.get("name").getAsString(), "status", status);
    }
    return created;
  }

  public JsonObject patch(
      String kind, String namespace, String name, String subresource, JsonObject patch)
      throws ErrorResponse, IOException, InterruptedException {
    return call(
        "PATCH",
        path(kind, namespace, name) + (subresource.isEmpty() ? "" : "/" + subresource),
        "application/merge-patch+json",
        patch.toString());
  }

  public JsonObject post(String path, JsonObject body)
      throws ErrorResponse, IOException, InterruptedException {
    return call("POST", path, "application/json", body.toString());
  }

  /**
   * Deletes an object. A missing object is no error.
   *
   * @param grace seconds; the request omits a negative value
   */
  public void delete(String kind, String namespace, String name, long grace)
      throws ErrorResponse, IOException, InterruptedException {
    try {
      call(
          "DELETE",
          path(kind, namespace, name) + (grace < 0 ? "" : "?gracePeriodSeconds=" + grace),
          "",
          "");
    } catch (ErrorResponse error) {
      if (error.code() != 404) {
        throw error;
      }
    }
  }
}
