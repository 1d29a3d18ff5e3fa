package dev.mooring.it.cluster;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.it.RestApi;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Assertions;

/** Deletes the objects of a test from a cluster that had no volumes before. */
final class ClusterCleanup {
  /** Kinds whose objects all belong to the test. */
  private static final List<String> TEST_KINDS =
      List.of("Pod", "VolumeAttachment", "PersistentVolumeClaim", "PersistentVolume");

  private ClusterCleanup() {}

  /** Rejects a cluster that is in use. */
  static void requireNoVolumes(RestApi api)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    for (String kind : List.of("PersistentVolumeClaim", "PersistentVolume", "VolumeAttachment")) {
      int count = api.list(kind).size();
      if (count > 0) {
        Assertions.fail(
            "the cluster has "
                + count
                + " objects of kind "
                + kind
                + ": the tests would delete them; name an empty cluster");
      }
    }
  }

  static void deleteObjects(RestApi api, List<JsonObject> createdObjects)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    for (String kind : TEST_KINDS) {
      for (JsonObject object : api.list(kind)) {
        JsonObject metadata = object.getAsJsonObject("metadata");
        String namespace = metadata.has("namespace") ? metadata.get("namespace").getAsString() : "";
        if (!kind.equals("Pod") || namespace.equals("default")) {
          forceDelete(api, kind, namespace, metadata.get("name").getAsString());
        }
      }
    }
    for (JsonObject object : createdObjects) {
      String kind = object.get("kind").getAsString();
      JsonObject metadata = object.getAsJsonObject("metadata");
      forceDelete(
          api,
          kind,
          RestApi.namespace(kind, metadata.get("namespace")),
          metadata.get("name").getAsString());
    }
    for (JsonObject event : api.list("Event")) {
      JsonObject metadata = event.getAsJsonObject("metadata");
      api.delete(
          "Event", metadata.get("namespace").getAsString(), metadata.get("name").getAsString(), -1);
    }
  }

  private static void forceDelete(RestApi api, String kind, String namespace, String name)
      throws RestApi.ErrorResponse, IOException, InterruptedException {
    try {
      api.delete(kind, namespace, name, 0);
      api.patch(
          kind,
          namespace,
          name,
          "",
          JsonParser.parseString("{\"metadata\": {\"finalizers\": null}}").getAsJsonObject());
    } catch (RestApi.ErrorResponse error) {
      if (error.code() != 404) {
        throw error;
      }
    }
  }
}
