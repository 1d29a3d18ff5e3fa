package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.VolumeStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Tests the search for orphaned volumes in the running process. */
class OrphanedVolumesTest extends CsiFixture {
  private String metrics() {
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + manager.port() + "/metrics");
      return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private boolean hasEvent(String note) {
    return cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
        .filter(event -> JsonBodies.textAt(event.tree(), "reason").equals("VolumeOrphaned"))
        .filter(event ->
            JsonBodies.textAt(event.tree(), "involvedObject", "kind").equals("StorageClass"))
        .anyMatch(event -> event.tree().toString().contains(note));
  }

  @Test
  void deletion_driverConfirmsAndKeepsVolume_isReportedAndCounted() throws Exception {
    try (ReferenceDriver driver = cluster.startDriver(CsiCluster.ALL_CAPABILITIES)) {
      store.add("of-another-cluster", 1 << 30, "{}", "");
      startManager("--doctor-period=50ms");
      cluster.createClaim("a", "now");
      cluster.createClaim("b", "now");
      cluster.await(
          "claims are bound", () -> cluster.countInPhase(KindCatalogue.CLAIMS, "Bound") == 2);
      String volume =
          JsonBodies.textAt(
              cluster.find(KindCatalogue.CLAIMS, "a").orElseThrow(), "spec", "volumeName");
      String handle =
          JsonBodies.textAt(
              cluster.find(KindCatalogue.VOLUMES, volume).orElseThrow(),
              "spec",
              "csi",
              "volumeHandle");
      store.keep(handle);
      cluster.delete(KindCatalogue.CLAIMS, "a");
      cluster.delete(KindCatalogue.CLAIMS, "b");
      cluster.await("event", () -> hasEvent("confirmed the deletion of volume " + handle));
      assertThat(metrics())
          .contains(
              "mooring_orphaned_volumes{driver_name=\"csi.example.com\",storage_class=\"now\"} 1.0",
              "mooring_orphaned_volume_bytes{driver_name=\"csi.example.com\",storage_class=\"now\"} 1.073741824E9",
              "mooring_orphan_search_failures_total{driver_name=\"csi.example.com\"} 0.0");
      assertThat(store.listVolumes())
          .as("the search deletes nothing")
          .extracting(VolumeStore.Item::name)
          .contains("of-another-cluster");
      assertThat(driver.calls())
          .filteredOn(call -> call.equals("DeleteVolume " + handle))
          .hasSize(1);
    }
  }
}
