package dev.mooring.kube;

import dev.mooring.cluster.ManifestWriter;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.http.ApiResponse;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes whole objects of kinds that no controller reads. Sends each request once, and returns
 * {@link WriteResult.Unreachable} also for a 429. Callers read the object before they rely on a
 * result, because a proxy may answer too. Thread-safe; blocks.
 */
public final class WholeObjectWriter implements ManifestWriter {
  private static final String JSON = "application/json";
  private static final String MANAGER = "mooring";

  private final KubeConnection connection;

  @FunctionalInterface
  private interface PathOf {
    ApiPath makePath(Kind<?> kind, ObjectKey key) throws ImpossibleNameException;
  }

  private record Write(
      String method, PathOf path, Map<String, String> query, Map<String, ?> members) {}

  public WholeObjectWriter(KubeConnection connection) {
    this.connection = connection;
  }

  @Override
  public WriteResult<ObjectKey> create(
      Kind<?> kind, ObjectKey key, Map<String, ? extends @Nullable Object> members)
      throws InterruptedException {
    Map<String, String> query = Map.of("fieldManager", MANAGER);
    return send(kind, key, new Write("POST", ApiPath::ofCreation, query, members));
  }

  @Override
  public WriteResult<ObjectKey> tryCreate(
      Kind<?> kind, ObjectKey key, Map<String, ? extends @Nullable Object> members)
      throws InterruptedException {
    Map<String, String> query = Map.of("fieldManager", MANAGER, "dryRun", "All");
    return send(kind, key, new Write("POST", ApiPath::ofCreation, query, members));
  }

  @Override
  public WriteResult<ObjectKey> deleteAndOrphan(Kind<?> kind, ObjectKey key, Uid uid, long version)
      throws InterruptedException {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("apiVersion", "v1");
    options.put("kind", "DeleteOptions");
    options.put("propagationPolicy", "Orphan");
    options.put(
        "preconditions", Map.of("uid", uid.toString(), "resourceVersion", Long.toString(version)));
    return send(kind, key, new Write("DELETE", ApiPath::ofObject, Map.of(), options));
  }

  private WriteResult<ObjectKey> send(Kind<?> kind, ObjectKey key, Write write)
      throws InterruptedException {
    ApiPath path;
    try {
      path = write.path().makePath(kind, key);
    } catch (ImpossibleNameException e) {
      return new WriteResult.Rejected<>(400, e.flaw() + " (nothing was sent)");
    }
    try (ApiResponse response =
        connection.send(write.method(), path, write.query(), JSON, JsonBody.of(write.members()))) {
      if (response.isSuccessful()) {
        return new WriteResult.Written<>(key);
      }
      try (InputStream in = response.body()) {
        return ApiResponses.toWriteResult(
            ApiResponses.readStatus(response, in, ApiResponses.isProtobuf(response)));
      }
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return new WriteResult.Unreachable<>(
          "no answer from " + connection.address() + ": " + KubeConnection.describeRootCause(e));
    }
  }
}
