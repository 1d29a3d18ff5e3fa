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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that events of a recycler pod are repeated on its volume (spec/binder.md 6.3). */
@Timeout(300)
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
    cluster.until("a recycler pod", () -> !recycler().isEmpty());
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

  private String volume(String member) {
    JsonObject volume =
        cluster.handlers().store(KindCatalogue.VOLUMES).list("").objects().iterator().next().tree();
    return JsonBodies.textAt(volume, "status", member);
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
  }

  private String recycler() {
    return recyclerField("uid");
  }

  private String recyclerField(String member) {
    return cluster.handlers().store(KindCatalogue.PODS).list("").objects().stream()
        .map(pod -> JsonBodies.textAt(pod.tree(), "metadata", member))
        .findAny()
        .orElse("");
  }

  private void emitRecyclerEvent(String name, String type, String note) throws Exception {
    JsonObject event =
        JsonParser.parseString(
                """
                {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "%s", "namespace": "default"}, "type": "%s", "reason": "Pulling", "message": "%s",
                 "source": {"component": "kubelet"}, "involvedObject": {"kind": "Pod", "namespace": "default", "name": "%s", "uid": "%s"}}
                """
                    .formatted(name, type, note, POD, recycler()))
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
    return volume("phase").equals("Failed") && volume("message").equals(message);
  }

  private long countEvents(String text) {
    return cluster.handlers().store(KindCatalogue.EVENTS).list("").objects().stream()
        .filter(e -> JsonBodies.textAt(e.tree(), "involvedObject", "name").equals("v"))
        .filter(e -> JsonBodies.textAt(e.tree(), "reason").equals("RecyclerPod"))
        .filter(e ->
            (JsonBodies.textAt(e.tree(), "type") + " " + JsonBodies.textAt(e.tree(), "message"))
                .equals(text))
        .count();
  }

  @Test
  void recyclerEvents_areRepeatedOnVolume() throws Exception {
    createReleasedVolume("kcm");
    emitRecyclerEvent("a.1", "Normal", "Pulling image");
    setPodStatus("Running", "");
    cluster.until("the first", () -> countEvents("Normal Recycler pod: Pulling image") == 1);
    emitRecyclerEvent("a.2", "Warning", "Back-off pulling image");
    setPodStatus("Succeeded", "");
    cluster.until("recycled", () -> cluster.hasEvent("v", "VolumeRecycled", "Volume recycled"));
    cluster.until(
        "the last", () -> countEvents("Warning Recycler pod: Back-off pulling image") == 1);
    assertThat(countEvents("Normal Recycler pod: Pulling image")).isEqualTo(1);
  }

  @Test
  void compatKcm_recyclerPodDeleted_failsVolume() throws Exception {
    createReleasedVolume("kcm");
    String first = recycler();
    kubelet.delete("Pod", "default", POD, 0);
    cluster.until(
        "volume has failed",
        () -> isFailed("Recycle failed: failed to recycle volume: recycler pod was deleted"));
    cluster.until("another", () -> isAnother(first));
  }

  @Test
  void recyclerPodDeleted_isReplaced() throws Exception {
    createReleasedVolume("none");
    String first = recycler();
    kubelet.delete("Pod", "default", recyclerField("name"), 0);
    cluster.until("another", () -> isAnother(first));
    assertThat(volume("phase")).isEqualTo("Released");
  }

  @Test
  void compatKcm_recyclerPodFailed_isReplacedImmediately() throws Exception {
    createReleasedVolume("kcm");
    String first = recycler();
    setPodStatus("Failed", "broke");
    cluster.until(
        "volume has failed", () -> isFailed("Recycle failed: failed to recycle volume: broke"));
    cluster.until("another", () -> isAnother(first));
  }

  private boolean isAnother(String first) {
    return !recycler().isEmpty() && !recycler().equals(first);
  }

  private void edit(String merge) throws Exception {
    kubelet.patch("PersistentVolume", "", "v", "", JsonParser.parseString(merge).getAsJsonObject());
  }

  @ParameterizedTest
  @ValueSource(strings = {"kcm", "none"})
  void policyChangedToRetain_stopsRecycling(String compat) throws Exception {
    createReleasedVolume(compat);
    edit("{\"spec\": {\"persistentVolumeReclaimPolicy\": \"Retain\"}}");
    cluster.until("recycling is stopped", () -> recycler().isEmpty());
    assertThat(volume("phase")).isEqualTo("Released");
  }

  @Test
  void volume_beingRecycled_isNotBound() throws Exception {
    createReleasedVolume("none");
    String pod = recyclerField("name");
    String hold = "{\"metadata\": {\"finalizers\": [\"example.com/still-running\"]}}";
    kubelet.patch("Pod", "default", pod, "", JsonParser.parseString(hold).getAsJsonObject());
    edit("{\"spec\": {\"claimRef\": null}}");
    cluster.until(
        "recycler pod is being deleted", () -> !recyclerField("deletionTimestamp").isEmpty());
    assertThat(volume("phase")).isEqualTo("Released");
    String withoutFinalizers = "{\"metadata\": {\"finalizers\": null}}";
    kubelet.patch(
        "Pod", "default", pod, "", JsonParser.parseString(withoutFinalizers).getAsJsonObject());
    cluster.until("volume is available", () -> volume("phase").equals("Available"));
  }

  @Test
  void volumeDeleted_recyclerPod_isDeleted() throws Exception {
    createReleasedVolume("none");
    kubelet.delete("PersistentVolume", "", "v", 0);
    cluster.until("recycling is stopped", () -> recycler().isEmpty());
  }
}
