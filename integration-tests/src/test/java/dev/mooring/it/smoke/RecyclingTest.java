package dev.mooring.it.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.Catalogue;
import dev.mooring.it.Api;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A volume that is recycled says what is told of the pod that scrubs it (spec/binder.md 6.3). */
@Timeout(120)
class RecyclingTest {
  private static final String POD = "recycler-for-v";

  @TempDir private Path folder;
  private SharedCluster cluster;
  private Api kubelet;

  @BeforeEach
  void aReleasedVolume() throws Exception {
    cluster = new SharedCluster(folder);
    kubelet = Api.of(folder.resolve("kubeconfig"));
    cluster.create(
        Catalogue.VOLUMES,
        """
        {"metadata": {"name": "v"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "persistentVolumeReclaimPolicy": "Recycle",
         "claimRef": {"namespace": "default", "name": "gone", "uid": "0b9fd4c1-6d15-4d0a-a9f4-8d3f5a0a7e11"}, "nfs": {"server": "n", "path": "/"}}}
        """);
    cluster.until("a scrubber", () -> !scrubber().isEmpty());
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
  }

  private String scrubber() {
    return cluster.verbs().store(Catalogue.PODS).list("").objects().stream()
        .filter(pod -> JsonBodies.text(pod.tree(), "metadata", "name").equals(POD))
        .map(pod -> JsonBodies.text(pod.tree(), "metadata", "uid"))
        .findAny()
        .orElse("");
  }

  private void tells(String name, String type, String note) throws Exception {
    JsonObject event =
        JsonParser.parseString(
                """
                {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "%s", "namespace": "default"}, "type": "%s", "reason": "Pulling", "message": "%s",
                 "source": {"component": "kubelet"}, "involvedObject": {"kind": "Pod", "namespace": "default", "name": "%s", "uid": "%s"}}
                """
                    .formatted(name, type, note, POD, scrubber()))
            .getAsJsonObject();
    kubelet.create(event);
  }

  private void isNow(String phase) throws Exception {
    kubelet.patch(
        "Pod",
        "default",
        POD,
        "status",
        JsonParser.parseString("{\"status\": {\"phase\": \"" + phase + "\"}}").getAsJsonObject());
  }

  private long told(String text) {
    return cluster.verbs().store(Catalogue.EVENTS).list("").objects().stream()
        .filter(e -> JsonBodies.text(e.tree(), "involvedObject", "name").equals("v"))
        .filter(e -> JsonBodies.text(e.tree(), "reason").equals("RecyclerPod"))
        .filter(e ->
            (JsonBodies.text(e.tree(), "type") + " " + JsonBodies.text(e.tree(), "message"))
                .equals(text))
        .count();
  }

  @Test
  void whatTheKubeletTellsOfTheScrubberTheVolumeTellsToo() throws Exception {
    tells("a.1", "Normal", "Pulling image");
    isNow("Running");
    cluster.until("the first", () -> told("Normal Recycler pod: Pulling image") == 1);
    tells("a.2", "Warning", "Back-off pulling image");
    isNow("Succeeded");
    cluster.until("recycled", () -> cluster.isTold("v", "VolumeRecycled", "Volume recycled"));
    cluster.until("the last", () -> told("Warning Recycler pod: Back-off pulling image") == 1);
    assertThat(told("Normal Recycler pod: Pulling image")).isEqualTo(1);
  }
}
