package dev.mooring.it.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.it.CommandResult;
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
import org.junit.jupiter.api.io.TempDir;

/** Tests the findings and repairs of {@code mooring doctor}. */
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

  private record DoctorOutput(int exitCode, List<String> output) {
    boolean hasLine(String text) {
      return output.stream().anyMatch(line -> line.contains(text));
    }
  }

  private DoctorOutput runDoctor(String... extraFlags) throws Exception {
    List<String> args =
        new ArrayList<>(
            List.of(
                "doctor",
                "--kubeconfig=" + cluster.kubeconfig(),
                "--plugins=" + Resources.csiPlugins(),
                cluster.endpointFlag(),
                "--wait=100ms"));
    args.addAll(List.of(extraFlags));
    CommandResult result = CommandResult.ofCommand(args.toArray(String[]::new));
    return new DoctorOutput(result.code(), result.lines());
  }

  private void createVolumeObject(String name, String id) throws Exception {
    cluster.create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "%s"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "csi": {"driver": "csi.example.com", "volumeHandle": "%s"}}}
        """
            .formatted(name, id));
  }

  @Test
  void doctor_differences_areFoundAndRepaired() throws Exception {
    try (ReferenceDriver driver = cluster.startDriver(CsiCluster.ALL_CAPABILITIES)) {
      assertThat(runDoctor().hasLine("no differences")).isTrue();
      VolumeStore.Item publishedVolume = cluster.store().add("known", 1 << 30, "{}", "");
      VolumeStore.Item orphanVolume = cluster.store().add("orphan", 3L << 30, "{}", "");
      cluster.store().put(publishedVolume.withPublishedNodes(Set.of("id-1")));
      createVolumeObject("known", publishedVolume.id());
      createVolumeObject("missing", "vol-missing");
      DoctorOutput output = runDoctor();
      assertThat(output.exitCode()).isEqualTo(3);
      assertThat(output.hasLine("volume " + orphanVolume.id() + ", but no PersistentVolume"))
          .isTrue();
      assertThat(output.hasLine("PersistentVolume missing refers to volume vol-missing")).isTrue();
      assertThat(output.hasLine("known (" + publishedVolume.id() + ") as published on node node-1"))
          .isTrue();
      assertThat(output.hasLine("3 findings")).isTrue();

      DoctorOutput mendOutput = runDoctor("--mend");
      assertThat(mendOutput.exitCode()).isEqualTo(3);
      assertThat(mendOutput.hasLine("unpublished")).isTrue();
      assertThat(cluster.store().listVolumes()).allMatch(item -> item.nodes().isEmpty());
      JsonObject orphanObject =
          cluster.handlers().store(KindCatalogue.VOLUMES).list("").objects().stream()
              .map(StoredObject::tree)
              .filter(candidate ->
                  JsonBodies.textAt(candidate, "spec", "csi", "volumeHandle")
                      .equals(orphanVolume.id()))
              .findFirst()
              .orElseThrow();
      assertThat(JsonBodies.textAt(orphanObject, "spec", "persistentVolumeReclaimPolicy"))
          .isEqualTo("Retain");
      assertThat(JsonBodies.textAt(orphanObject, "spec", "capacity", "storage"))
          .isEqualTo("3221225472");
      assertThat(cluster.store().listVolumes()).hasSize(2);
      DoctorOutput finalOutput = runDoctor();
      assertThat(finalOutput.hasLine(": 1 finding"))
          .as("only unrepairable findings remain")
          .isTrue();
      assertThat(driver.calls()).noneMatch(call -> call.startsWith("DeleteVolume"));
    }
  }

  /**
   * Covers a publication whose VolumeAttachment names another PersistentVolume of the volume, and a
   * publication on the former machine of a node.
   */
  @Test
  void publications_twinVolumesAndFormerNodeId_remain() throws Exception {
    try (ReferenceDriver driver = cluster.startDriver(CsiCluster.ALL_CAPABILITIES)) {
      VolumeStore.Item publishedVolume = cluster.store().add("known", 1 << 30, "{}", "");
      cluster.store().put(publishedVolume.withPublishedNodes(Set.of("id-1", "id-old")));
      createVolumeObject("a", publishedVolume.id());
      createVolumeObject("b", publishedVolume.id());
      createAttachment("persistentVolumeName", "\"a\"");
      DoctorOutput output = runDoctor("--mend");
      assertThat(output.hasLine("published on node id id-old, which no CSINode has")).isTrue();
      assertThat(output.hasLine("1 finding")).isTrue();
      assertThat(driver.calls()).noneMatch(call -> call.startsWith("ControllerUnpublish"));
    }
  }

  /**
   * The first run creates no PersistentVolume for the volume. The second run does not detach it.
   */
  @Test
  void inlineVolume_twoRepairs_staysAttached() throws Exception {
    try (ReferenceDriver driver = cluster.startDriver(CsiCluster.ALL_CAPABILITIES)) {
      VolumeStore.Item inlineVolume = cluster.store().add("inline", 1 << 30, "{}", "");
      cluster.store().put(inlineVolume.withPublishedNodes(Set.of("id-1")));
      createAttachment(
          "inlineVolumeSpec",
          """
          {"accessModes": ["ReadWriteOnce"], "csi": {"driver": "csi.example.com", "volumeHandle": "%s"}}
          """
              .formatted(inlineVolume.id()));
      assertThat(runDoctor("--mend").hasLine("no differences")).isTrue();
      assertThat(runDoctor("--mend").hasLine("no differences")).isTrue();
      assertThat(cluster.isEmpty(KindCatalogue.VOLUMES)).isTrue();
      assertThat(driver.calls()).noneMatch(call -> call.startsWith("ControllerUnpublish"));
    }
  }

  private void createAttachment(String source, String sourceJson) throws Exception {
    cluster.create(
        KindCatalogue.ATTACHMENTS,
        """
        {"metadata": {"name": "va", "annotations": {"csi.alpha.kubernetes.io/node-id": "id-1"}}, "spec": {"attacher": "csi.example.com", "nodeName": "node-1", "source": {"%s": %s}}}
        """
            .formatted(source, sourceJson));
  }

  @Test
  void driver_unreachable_isNamed() throws Exception {
    DoctorOutput output = runDoctor("--csi-timeout=500ms");
    assertThat(output.exitCode()).isEqualTo(1);
    assertThat(output.hasLine("CSI driver csi.example.com does not respond")).isTrue();
  }
}
