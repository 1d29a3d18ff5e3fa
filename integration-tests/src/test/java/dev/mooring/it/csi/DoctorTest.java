package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.reference.ReferenceDriver;
import dev.mooring.reference.VolumeStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the findings and repairs of {@code mooring doctor}. */
@Timeout(300)
class DoctorTest {
  @TempDir private Path folder;
  private CsiCluster cluster;

  @BeforeEach
  void startCluster() throws Exception {
    cluster = new CsiCluster(folder, 2, true);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private record Answer(int code, List<String> output) {
    boolean says(String text) {
      return output.stream().anyMatch(line -> line.contains(text));
    }
  }

  private Answer doctor(String... more) throws Exception {
    List<String> args =
        new ArrayList<>(
            List.of(
                "doctor",
                "--kubeconfig=" + cluster.kubeconfig(),
                "--plugins=" + Resources.csiPlugins(),
                cluster.endpointFlag(),
                "--wait=100ms"));
    args.addAll(List.of(more));
    try (JavaProcess process = JavaProcess.mooring(args.toArray(String[]::new))) {
      int code = process.exitCode();
      return new Answer(code, process.output());
    }
  }

  private void volume(String name, String id) throws Exception {
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "%s"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "csi": {"driver": "csi.example.com", "volumeHandle": "%s"}}}
        """
            .formatted(name, id));
  }

  @Test
  void doctor_differences_areFoundAndRepaired() throws Exception {
    try (ReferenceDriver driver = cluster.driver(CsiCluster.ABLE)) {
      assertThat(doctor().says("no differences")).isTrue();
      VolumeStore.Item known = cluster.store().add("known", 1 << 30, "{}", "");
      VolumeStore.Item orphan = cluster.store().add("orphan", 3L << 30, "{}", "");
      cluster.store().put(known.withPublishedNodes(Set.of("id-1")));
      volume("known", known.id());
      volume("missing", "vol-missing");
      Answer answer = doctor();
      assertThat(answer.code()).isEqualTo(3);
      assertThat(answer.says("volume " + orphan.id() + ", which no PersistentVolume")).isTrue();
      assertThat(answer.says("PersistentVolume missing refers to volume vol-missing")).isTrue();
      assertThat(answer.says("known (" + known.id() + ") published on node node-1")).isTrue();
      assertThat(answer.says("3 findings")).isTrue();

      Answer mended = doctor("--mend");
      assertThat(mended.code()).isEqualTo(3);
      assertThat(mended.says("unpublished")).isTrue();
      assertThat(cluster.store().listVolumes()).allMatch(i -> i.nodes().isEmpty());
      JsonObject kept =
          cluster.handlers().store(KindCatalogue.VOLUMES).list("").objects().stream()
              .map(StoredObject::tree)
              .filter(v -> JsonBodies.textAt(v, "spec", "csi", "volumeHandle").equals(orphan.id()))
              .findFirst()
              .orElseThrow();
      assertThat(JsonBodies.textAt(kept, "spec", "persistentVolumeReclaimPolicy"))
          .isEqualTo("Retain");
      assertThat(JsonBodies.textAt(kept, "spec", "capacity", "storage")).isEqualTo("3221225472");
      assertThat(cluster.store().listVolumes()).hasSize(2);
      Answer after = doctor();
      assertThat(after.says(": 1 finding")).as("only unrepairable findings remain").isTrue();
      assertThat(driver.calls()).noneMatch(c -> c.startsWith("DeleteVolume"));
    }
  }

  /**
   * Covers a publication that a twin's VolumeAttachment accounts for, and one on a node's former
   * machine.
   */
  @Test
  void publications_twinsAndFormerNodeIds_areKept() throws Exception {
    try (ReferenceDriver driver = cluster.driver(CsiCluster.ABLE)) {
      VolumeStore.Item item = cluster.store().add("known", 1 << 30, "{}", "");
      cluster.store().put(item.withPublishedNodes(Set.of("id-1", "id-old")));
      volume("a", item.id());
      volume("b", item.id());
      attachment("persistentVolumeName", "\"a\"");
      Answer answer = doctor("--mend");
      assertThat(answer.says("published on node id id-old, which no CSINode has")).isTrue();
      assertThat(answer.says("1 finding")).isTrue();
      assertThat(driver.calls()).noneMatch(c -> c.startsWith("ControllerUnpublish"));
    }
  }

  /** The first run creates no orphan of the live volume; the second run does not detach it. */
  @Test
  void inlineVolume_staysAttachedThroughTwoRuns() throws Exception {
    try (ReferenceDriver driver = cluster.driver(CsiCluster.ABLE)) {
      VolumeStore.Item item = cluster.store().add("inline", 1 << 30, "{}", "");
      cluster.store().put(item.withPublishedNodes(Set.of("id-1")));
      attachment(
          "inlineVolumeSpec",
          """
          {"accessModes": ["ReadWriteOnce"], "csi": {"driver": "csi.example.com", "volumeHandle": "%s"}}
          """
              .formatted(item.id()));
      assertThat(doctor("--mend").says("no differences")).isTrue();
      assertThat(doctor("--mend").says("no differences")).isTrue();
      assertThat(cluster.isEmpty(KindCatalogue.VOLUMES)).isTrue();
      assertThat(driver.calls()).noneMatch(c -> c.startsWith("ControllerUnpublish"));
    }
  }

  private void attachment(String source, String what) throws Exception {
    cluster.create(
        KindCatalogue.ATTACHMENTS,
        """
        {"metadata": {"name": "va", "annotations": {"csi.alpha.kubernetes.io/node-id": "id-1"}}, "spec": {"attacher": "csi.example.com", "nodeName": "node-1", "source": {"%s": %s}}}
        """
            .formatted(source, what));
  }

  @Test
  void driver_unreachable_isNamed() throws Exception {
    Answer answer = doctor("--csi-timeout=500ms");
    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.says("CSI driver csi.example.com does not respond")).isTrue();
  }
}
