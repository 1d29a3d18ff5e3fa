package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.it.RestApi;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests recycler pods: their events, failures and deletion. */
class RecyclingTest {
  private static final String POD = "recycler-for-v";

  @TempDir private Path folder;
  private SharedCluster cluster;
  private RestApi kubelet;

  private void createReleasedVolume(String compat) throws Exception {
    cluster = new SharedCluster(folder, compat);
    kubelet = RestApi.of(folder.resolve("kubeconfig"));
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "v"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "persistentVolumeReclaimPolicy": "Recycle",
         "claimRef": {"namespace": "default", "name": "gone", "uid": "0b9fd4c1-6d15-4d0a-a9f4-8d3f5a0a7e11"}, "nfs": {"server": "n", "path": "/"}}}
        """);
    markBound();
    cluster.awaitCondition("recycler pod exists", () -> !recyclerUid().isEmpty());
  }

  /** A volume that was never Bound is not recycled. */
  private void markBound() throws Exception {
    cluster
        .handlers()
        .update(
            KindCatalogue.VOLUMES,
            "",
            "v",
            WriteOptions.STATUS,
            current -> {
              current.getAsJsonObject("status").addProperty("phase", "Bound");
              return current;
            });
  }

  private String volumeStatus(String member) {
    JsonObject volume =
        cluster.handlers().store(KindCatalogue.VOLUMES).list("").objects().iterator().next().tree();
    return JsonBodies.textAt(volume, "status", member);
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
  }

  private String recyclerUid() {
    return recyclerField("uid");
  }

  private String recyclerField(String member) {
    return cluster.handlers().store(KindCatalogue.PODS).list("").objects().stream()
        .map(pod -> JsonBodies.textAt(pod.tree(), "metadata", member))
        .findAny()
        .orElse("");
  }

  private void emitRecyclerEvent(String name, String type, String message) throws Exception {
    JsonObject event =
        JsonParser.parseString(
                """
                {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "%s", "namespace": "default"}, "type": "%s", "reason": "Pulling", "message": "%s",
                 "source": {"component": "kubelet"}, "involvedObject": {"kind": "Pod", "namespace": "default", "name": "%s", "uid": "%s"}}
                """
                    .formatted(name, type, message, POD, recyclerUid()))
            .getAsJsonObject();
    kubelet.create(event);
  }

  private void setPodStatus(String phase, String message) throws Exception {
    kubelet.patch(
        "Pod",
        "default",
        POD,
        "status",
        JsonParser.parseString(
                "{\"status\": {\"phase\": \"%s\", \"message\": \"%s\"}}".formatted(phase, message))
            .getAsJsonObject());
  }

  private boolean isFailed(String message) {
    return volumeStatus("phase").equals("Failed") && volumeStatus("message").equals(message);
  }

  private long countEvents(String text) {
    return cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
        .filter(event -> JsonBodies.textAt(event.tree(), "involvedObject", "name").equals("v"))
        .filter(event -> JsonBodies.textAt(event.tree(), "reason").equals("RecyclerPod"))
        .filter(event ->
            (JsonBodies.textAt(event.tree(), "type")
                    + " "
                    + JsonBodies.textAt(event.tree(), "message"))
                .equals(text))
        .count();
  }

  @Test
  void recyclerPod_events_areRepeatedOnVolume() throws Exception {
    createReleasedVolume("kcm");
    emitRecyclerEvent("a.1", "Normal", "Pulling image");
    setPodStatus("Running", "");
    cluster.awaitCondition(
        "volume has the first event", () -> countEvents("Normal Recycler pod: Pulling image") == 1);
    emitRecyclerEvent("a.2", "Warning", "Back-off pulling image");
    setPodStatus("Succeeded", "");
    cluster.awaitCondition(
        "volume is recycled", () -> cluster.hasEvent("v", "VolumeRecycled", "Volume recycled"));
    cluster.awaitCondition(
        "volume has the last event",
        () -> countEvents("Warning Recycler pod: Back-off pulling image") == 1);
    assertThat(countEvents("Normal Recycler pod: Pulling image")).isEqualTo(1);
  }

  @Test
  void compatKcm_recyclerPodDeleted_failsVolumeAndReplacesPod() throws Exception {
    createReleasedVolume("kcm");
    String firstUid = recyclerUid();
    kubelet.delete("Pod", "default", POD, 0);
    cluster.awaitCondition(
        "volume has failed",
        () -> isFailed("Recycle failed: failed to recycle volume: recycler pod was deleted"));
    cluster.awaitCondition("another recycler pod exists", () -> hasOtherRecycler(firstUid));
  }

  @Test
  void recyclerPod_deleted_isReplaced() throws Exception {
    createReleasedVolume("none");
    String firstUid = recyclerUid();
    kubelet.delete("Pod", "default", recyclerField("name"), 0);
    cluster.awaitCondition("another recycler pod exists", () -> hasOtherRecycler(firstUid));
    assertThat(volumeStatus("phase")).isEqualTo("Released");
  }

  @Test
  void compatKcm_recyclerPodFailed_isReplacedImmediately() throws Exception {
    createReleasedVolume("kcm");
    String firstUid = recyclerUid();
    setPodStatus("Failed", "broke");
    cluster.awaitCondition(
        "volume has failed", () -> isFailed("Recycle failed: failed to recycle volume: broke"));
    cluster.awaitCondition("another recycler pod exists", () -> hasOtherRecycler(firstUid));
  }

  private boolean hasOtherRecycler(String firstUid) {
    return !recyclerUid().isEmpty() && !recyclerUid().equals(firstUid);
  }

  private void patchVolume(String patch) throws Exception {
    kubelet.patch("PersistentVolume", "", "v", "", JsonParser.parseString(patch).getAsJsonObject());
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void recycling_policyChangedToRetain_stops(String compat) throws Exception {
    createReleasedVolume(compat);
    patchVolume("{\"spec\": {\"persistentVolumeReclaimPolicy\": \"Retain\"}}");
    cluster.awaitCondition("recycling is stopped", () -> recyclerUid().isEmpty());
    assertThat(volumeStatus("phase")).isEqualTo("Released");
  }

  @Test
  void volume_beingRecycled_isNotBound() throws Exception {
    createReleasedVolume("none");
    String pod = recyclerField("name");
    String addFinalizer = "{\"metadata\": {\"finalizers\": [\"example.com/still-running\"]}}";
    kubelet.patch(
        "Pod", "default", pod, "", JsonParser.parseString(addFinalizer).getAsJsonObject());
    patchVolume("{\"spec\": {\"claimRef\": null}}");
    cluster.awaitCondition(
        "recycler pod is being deleted", () -> !recyclerField("deletionTimestamp").isEmpty());
    assertThat(volumeStatus("phase")).isEqualTo("Released");
    String removeFinalizers = "{\"metadata\": {\"finalizers\": null}}";
    kubelet.patch(
        "Pod", "default", pod, "", JsonParser.parseString(removeFinalizers).getAsJsonObject());
    cluster.awaitCondition("volume is available", () -> volumeStatus("phase").equals("Available"));
  }

  @Test
  void recyclerPod_volumeDeleted_isDeleted() throws Exception {
    createReleasedVolume("none");
    kubelet.delete("PersistentVolume", "", "v", 0);
    cluster.awaitCondition("recycling is stopped", () -> recyclerUid().isEmpty());
  }
}
