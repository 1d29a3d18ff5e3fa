package dev.mooring.plugin.nfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Covers directories without a record: of an earlier provisioner, or of another export. */
class EarlierDirectoriesTest {
  private static final String BY_ANNOTATION = "${.PVC.annotations.path}";
  private static final String STABLE = "${.PVC.namespace}/${.PVC.name}";

  @TempDir private Path folder;
  private Path mount;
  private StartedNfsPlugin nfs;

  @BeforeEach
  void startPlugin() throws IOException {
    mount = Files.createDirectory(folder.resolve("mount"));
    nfs = new StartedNfsPlugin(mount, "/export");
  }

  private static Map<String, String> deleting(String pattern) {
    return Map.of("pathPattern", pattern, "onDelete", "delete");
  }

  private static Map<String, String> reusing(String pattern) {
    return Map.of("pathPattern", pattern, "onDelete", "retain", "reuseRetained", "true");
  }

  private static Provisioner.ClaimInfo annotated(String path) {
    return StartedNfsPlugin.claim("c", Map.of("path", path));
  }

  private StartedNfsPlugin taking(String earlierVolumes) {
    return new StartedNfsPlugin(
        Map.of(),
        Map.of(
            "nfs-exports",
            StartedNfsPlugin.SERVER + ":/export=" + mount,
            "nfs-earlier-volumes",
            earlierVolumes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"old/x", "old/data/x"})
  void annotation_insideAnUnrecordedDirectory_isRefused(String path) throws IOException {
    Files.createDirectories(mount.resolve("old/data"));
    assertThat(
            StartedNfsPlugin.refusal(
                nfs.provision("pvc-1", annotated(path), deleting(BY_ANNOTATION))))
        .contains("\"old\"", "exists without a record");
    assertThat(mount.resolve(path)).doesNotExist();
  }

  @Test
  void annotation_belowTheNamespaceInsideAnUnrecordedDirectory_isRefused() throws IOException {
    Files.createDirectories(mount.resolve("ns/old/data"));
    String pattern = "${.PVC.namespace}/" + BY_ANNOTATION;
    assertThat(
            StartedNfsPlugin.refusal(nfs.provision("pvc-1", annotated("old/x"), deleting(pattern))))
        .contains("\"ns/old\"");
    assertThat(StartedNfsPlugin.path(nfs.provision("pvc-1", annotated("new/x"), deleting(pattern))))
        .isEqualTo("/export/ns/new/x");
    assertThat(StartedNfsPlugin.path(nfs.provision("pvc-2", annotated("new/y"), deleting(pattern))))
        .as("the plugin made the directory above")
        .isEqualTo("/export/ns/new/y");
  }

  @Test
  void patternPrefix_thatLooksLikeAVolume_isRefused() throws IOException {
    Files.createDirectories(mount.resolve("ns-c-pvc-old/data"));
    Files.createDirectories(mount.resolve("ns"));
    Files.writeString(mount.resolve("ns/file"), "data");
    Files.createDirectories(mount.resolve("other/.mooring"));
    for (String above : new String[] {"ns-c-pvc-old", "ns", "other"}) {
      assertThat(
              StartedNfsPlugin.refusal(
                  nfs.provision("pvc-1", "c", deleting(above + "/${.PVC.name}"))))
          .contains("\"" + above + "\"", "exists without a record");
    }
  }

  @Test
  void patternPrefix_withDirectoriesOnly_isUsed() throws IOException {
    Files.createDirectories(mount.resolve("apps/ns/data-db-0"));
    assertThat(
            StartedNfsPlugin.path(
                nfs.provision("pvc-1", "data-db-1", deleting("/apps//" + STABLE + "/"))))
        .isEqualTo("/export/apps/ns/data-db-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"archive", "delete"})
  void earlierVolume_withARecordBelow_isNotRemoved(String earlierVolumes) throws Exception {
    Files.createDirectories(mount.resolve("ns-c-pvc-old/inner"));
    DirectoryRecords records =
        new DirectoryRecords(DirectoryTree.withPrivateDirectory(mount), mount);
    DirectoryRecords.Entry inner =
        new DirectoryRecords.Entry(
            "pvc-1", RelativePath.existing("ns-c-pvc-old/inner"), "other", OnDelete.DELETE, false);
    records.put(inner);
    StartedNfsPlugin taking = taking(earlierVolumes);
    assertThat(taking.delete("pvc-old", "/export/ns-c-pvc-old", Map.of()))
        .isEqualTo(
            new Attempt.Failed<>(
                new Failure.InUse(
                    "the directory \"ns-c-pvc-old\" is kept while the directories of other volumes lie in it: pvc-1")));
    assertThat(mount.resolve("ns-c-pvc-old/inner")).isDirectory();
    assertThat(
            StartedNfsPlugin.isDone(taking.delete("pvc-1", "/export/ns-c-pvc-old/inner", Map.of())))
        .isTrue();
    assertThat(StartedNfsPlugin.isDone(taking.delete("pvc-old", "/export/ns-c-pvc-old", Map.of())))
        .isTrue();
    assertThat(mount.resolve("ns-c-pvc-old")).doesNotExist();
  }

  private StartedNfsPlugin nested() throws IOException {
    Files.createDirectories(mount.resolve("k8s"));
    return new StartedNfsPlugin(
        Map.of(),
        Map.of(
            "nfs-exports",
            "%1$s:/srv=%2$s,%1$s:/srv/k8s=%2$s/k8s".formatted(StartedNfsPlugin.SERVER, mount)));
  }

  private static Map<String, String> share(String share, String pattern) {
    return Map.of("share", share, "pathPattern", pattern, "onDelete", "delete");
  }

  @ParameterizedTest
  @CsvSource({"k8s/x", "k8s/a/x", "k8s"})
  void outerExport_withAPathInTheInnerOne_isRefused(String path) throws IOException {
    StartedNfsPlugin nested = nested();
    assertThat(
            StartedNfsPlugin.path(
                nested.provision("pvc-1", annotated("a"), share("/srv/k8s", BY_ANNOTATION))))
        .isEqualTo("/srv/k8s/a");
    for (String pattern : new String[] {BY_ANNOTATION, path}) {
      assertThat(
              StartedNfsPlugin.refusal(
                  nested.provision("pvc-2", annotated(path), share("/srv", pattern))))
          .contains("export " + StartedNfsPlugin.SERVER + ":/srv/k8s");
    }
    assertThat(mount.resolve("k8s/x")).doesNotExist();
  }

  @Test
  void outerVolume_withAnExportInIt_isNotRemoved() throws Exception {
    new DirectoryRecords(DirectoryTree.withPrivateDirectory(mount), mount)
        .put(
            new DirectoryRecords.Entry(
                "pvc-1", RelativePath.existing("k8s"), "ns", OnDelete.DELETE, false));
    StartedNfsPlugin nested = nested();
    StartedNfsPlugin.path(
        nested.provision("pvc-2", annotated("a"), share("/srv/k8s", BY_ANNOTATION)));
    assertThat(StartedNfsPlugin.isDone(nested.delete("pvc-1", "/srv/k8s", Map.of()))).isFalse();
    assertThat(mount.resolve("k8s/a")).isDirectory();
  }

  @Test
  void refusal_forAnotherNamespace_doesNotNameItsVolume() {
    Map<String, String> parameters = deleting(BY_ANNOTATION);
    StartedNfsPlugin.path(nfs.provision("pvc-1", annotated("a/b"), parameters));
    for (String path : new String[] {"a/b", "a/b/c"}) {
      var otherVolume =
          new Provisioner.ClaimInfo(
              ObjectKey.of("other", "c"), Uid.of("u"), Map.of(), Map.of("path", path));
      assertThat(StartedNfsPlugin.refusal(nfs.provision("pvc-2", otherVolume, parameters)))
          .contains("a volume of another namespace")
          .doesNotContain("pvc-1");
    }
  }

  @Test
  void directoryOfTheNamespace_withReuseRetained_isAdopted() throws IOException {
    Files.createDirectories(mount.resolve("ns/data-db-0"));
    Path data = Files.writeString(mount.resolve("ns/data-db-0/f"), "data");
    assertThat(StartedNfsPlugin.refusal(nfs.provision("pvc-1", "data-db-0", deleting(STABLE))))
        .contains("exists and belongs to no volume", "reuseRetained");
    String path = StartedNfsPlugin.path(nfs.provision("pvc-1", "data-db-0", reusing(STABLE)));
    assertThat(path).isEqualTo("/export/ns/data-db-0");
    assertThat(data).hasContent("data");
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1", path, Map.of()))).isTrue();
    assertThat(StartedNfsPlugin.path(nfs.provision("pvc-2", "data-db-0", reusing(STABLE))))
        .isEqualTo(path);
    assertThat(data).hasContent("data");
  }

  /** A class of the earlier provisioner has no other parameters and is immutable. */
  @Test
  void directoryOfTheNamespace_withRetain_isAdoptedAndReused() throws IOException {
    Files.createDirectories(mount.resolve("ns/data-db-0"));
    Map<String, String> retainParameters = Map.of("pathPattern", STABLE, "onDelete", "retain");
    for (String claim : new String[] {"data-db-0", "data-db-1"}) {
      String path = StartedNfsPlugin.path(nfs.provision("pvc-1-" + claim, claim, retainParameters));
      assertThat(path).isEqualTo("/export/ns/" + claim);
      assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1-" + claim, path, Map.of()))).isTrue();
      assertThat(StartedNfsPlugin.path(nfs.provision("pvc-2-" + claim, claim, retainParameters)))
          .isEqualTo(path);
      assertThat(
              StartedNfsPlugin.conflict(nfs.provision("pvc-3-" + claim, claim, retainParameters)))
          .contains("belongs to volume pvc-2-" + claim);
    }
    Map<String, String> missingDirectory =
        Map.of("pathPattern", STABLE, "onDelete", "retain", "reuseRetained", "false");
    Files.createDirectories(mount.resolve("ns/data-db-2"));
    assertThat(StartedNfsPlugin.refusal(nfs.provision("pvc-4", "data-db-2", missingDirectory)))
        .contains("reuseRetained");
  }

  @ParameterizedTest
  @ValueSource(strings = {"retain", "archive", "delete"})
  void claimCreatedAgain_beforeItsVolumeIsDeleted_waits(String onDelete) {
    Map<String, String> parameters = Map.of("pathPattern", STABLE, "onDelete", onDelete);
    String path = StartedNfsPlugin.path(nfs.provision("pvc-1", "c", parameters));
    assertThat(StartedNfsPlugin.conflict(nfs.provision("pvc-2", "c", parameters)))
        .contains("still belongs to volume pvc-1, which must be deleted first");
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1", path, Map.of()))).isTrue();
    assertThat(StartedNfsPlugin.path(nfs.provision("pvc-2", "c", parameters))).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        BY_ANNOTATION,
        "${.PVC.namespace}/" + BY_ANNOTATION,
        "${.PVC.namespace}-${.PVC.name}",
        "${.PVC.name}",
        "ns-c"
      })
  void directoryThatMayBeAnotherTenants_withReuseRetained_isRefused(String pattern)
      throws IOException {
    Files.createDirectories(mount.resolve("ns/c"));
    Files.createDirectories(mount.resolve("c"));
    Files.createDirectories(mount.resolve("ns-c"));
    assertThat(StartedNfsPlugin.refusal(nfs.provision("pvc-1", annotated("c"), reusing(pattern))))
        .contains("exists and belongs to no volume")
        .doesNotContain("reuseRetained");
  }

  @Test
  void directoryWithARecordedVolumeInIt_withReuseRetained_isRefused() {
    StartedNfsPlugin.path(
        nfs.provision("pvc-1", "x", deleting("${.PVC.namespace}/c/${.PVC.name}")));
    assertThat(StartedNfsPlugin.refusal(nfs.provision("pvc-2", "c", reusing(STABLE))))
        .contains("volume pvc-1");
  }

  @Test
  void create_directoryOfCrashedProvisioner_isAdopted() throws IOException {
    Files.createDirectory(mount.resolve("ns-c-pvc-1"));
    assertThat(StartedNfsPlugin.path(nfs.provision("pvc-1", "c", Map.of())))
        .isEqualTo("/export/ns-c-pvc-1");
  }
}
