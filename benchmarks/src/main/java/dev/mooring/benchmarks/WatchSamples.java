package dev.mooring.benchmarks;

import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** The bytes of a watch of volumes, as the embedded server sends it in protobuf. */
final class WatchSamples {
  private WatchSamples() {}

  static byte[] volumeEvents(int count) {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
        HttpClient client = HttpClient.newHttpClient()) {
      for (int i = 0; i < count; i++) {
        server
            .handlers()
            .create(
                KindCatalogue.VOLUMES,
                "",
                JsonParser.parseString(volume(i)).getAsJsonObject(),
                WriteOptions.PLAIN);
      }
      HttpRequest watch =
          HttpRequest.newBuilder(
                  URI.create(
                      server.url()
                          + "/api/v1/persistentvolumes?watch=true&resourceVersion=0&timeoutSeconds=1"))
              .header("Accept", "application/vnd.kubernetes.protobuf;stream=watch")
              .build();
      return client.send(watch, HttpResponse.BodyHandlers.ofByteArray()).body();
    } catch (IOException | StatusException e) {
      throw new IllegalStateException("no watch of the embedded server", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static String volume(int i) {
    return """
    {"metadata":{"name":"pvc-%1$d","annotations":{"pv.kubernetes.io/provisioned-by":"csi.example.com"},"finalizers":["kubernetes.io/pv-protection","external-provisioner.volume.kubernetes.io/finalizer"]},
    "spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"persistentVolumeReclaimPolicy":"Delete","storageClassName":"fast","volumeMode":"Filesystem",
    "csi":{"driver":"csi.example.com","volumeHandle":"vol-%1$d","volumeAttributes":{"storage.kubernetes.io/csiProvisionerIdentity":"1-csi.example.com"}},
    "claimRef":{"apiVersion":"v1","kind":"PersistentVolumeClaim","namespace":"default","name":"data-%1$d","uid":"11111111-2222-3333-4444-555555555555"}}}\
    """
        .formatted(i);
  }
}
