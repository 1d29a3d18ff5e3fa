package dev.mooring.plugin.nfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.UsageMeter;
import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NfsVolumesTest {
  private static final Map<String, String> DELETED = Map.of("onDelete", "delete");

  @TempDir private Path folder;
  private Path mount;
  private StartedNfsPlugin nfs;

  @BeforeEach
  void anExport() throws IOException {
    mount = Files.createDirectory(folder.resolve("mount"));
    nfs = new StartedNfsPlugin(mount, "/export");
  }

  private List<String> listDirectories() throws IOException {
    try (Stream<Path> all = Files.list(mount)) {
      return all.map(p -> p.getFileName().toString())
          .filter(n -> !n.equals(".mooring"))
          .sorted()
          .toList();
    }
  }

  private static Map<String, String> pattern(String pattern, String... otherParameters) {
    Map<String, String> all = new HashMap<>(Map.of("pathPattern", pattern));
    for (int i = 0; i < otherParameters.length; i += 2) {
      all.put(otherParameters[i], otherParameters[i + 1]);
    }
    return all;
  }

  private StartedNfsPlugin withEarlierVolumes(String setting) {
    return new StartedNfsPlugin(
        Map.of(),
        Map.of(
            "nfs-exports",
            StartedNfsPlugin.SERVER + ":/export=" + mount,
            "nfs-earlier-volumes",
            setting));
  }

  @Test
  void needsFullClaims_onlyPathPattern_needsThem() {
    Provisioner provisioner = nfs.plugin().provisioner().orElseThrow();
    assertThat(provisioner.needsFullClaims(pattern("${.PVC.labels.app}"))).isTrue();
    assertThat(provisioner.needsFullClaims(Map.of("onDelete", "delete"))).isFalse();
  }

  /** nfs-subdir-external-provisioner ends a directory's name with the volume's name. */
  @ParameterizedTest
  @ValueSource(strings = {"archive", "delete"})
  void delete_volumeOfEarlierProvisioner_followsSetting(String setting) throws IOException {
    Files.createDirectories(mount.resolve("ns-c-pvc-old/data"));
    Files.createDirectories(mount.resolve("shared/data"));
    StartedNfsPlugin startedPlugin = withEarlierVolumes(setting);
    assertThat(startedPlugin.delete("pvc-old", "/export/ns-c-pvc-old", Map.of()))
        .isEqualTo(Attempt.done(new Deleter.Deleted()));
    assertThat(startedPlugin.delete("pvc-two", "/export/shared", Map.of()))
        .as("it may be several volumes'")
        .isInstanceOf(Attempt.Failed.class);
    assertThat(listDirectories())
        .isEqualTo(
            setting.equals("archive")
                ? List.of("archived-ns-c-pvc-old", "shared")
                : List.of("shared"));
    assertThat(startedPlugin.delete("pvc-old", "/export/ns-c-pvc-old", Map.of()))
        .as("once more")
        .isEqualTo(Attempt.done(new Deleter.Deleted()));
  }

  @Test
  void delete_volumeOfEarlierProvisioner_isRejectedByDefault() throws IOException {
    Files.createDirectory(mount.resolve("ns-c-pvc-old"));
    assertThat(nfs.delete("pvc-old", "/export/ns-c-pvc-old", Map.of()))
        .isInstanceOf(Attempt.Failed.class);
    assertThat(listDirectories()).containsExactly("ns-c-pvc-old");
    assertThatThrownBy(() -> withEarlierVolumes("keep"))
        .hasMessageContaining(
            "nfs-earlier-volumes \"keep\" is unknown: use leave, archive or delete");
  }

  @Test
  void provisionAndDelete_claim_createsAndRemovesDirectory() throws IOException {
    String path = StartedNfsPlugin.path(nfs.provision("pvc-u", "c", DELETED));
    assertThat(path).isEqualTo("/export/ns-c-pvc-u");
    Path directory = mount.resolve("ns-c-pvc-u");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwxrwxrwx");
    assertThat(StartedNfsPlugin.path(nfs.provision("pvc-u", "c", DELETED)))
        .as("once more")
        .isEqualTo(path);
    Path deep = directory;
    for (int i = 0; i < 300; i++) {
      deep = Files.createDirectory(deep.resolve("d"));
      Files.writeString(deep.resolve("f"), "x");
    }
    Path outside = Files.writeString(folder.resolve("outside"), "mine");
    Files.createSymbolicLink(directory.resolve("link"), outside);
    Files.createSymbolicLink(directory.resolve("up"), folder);
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-u", path, Map.of()))).isTrue();
    assertThat(listDirectories()).isEmpty();
    assertThat(outside).hasContent("mine");
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-u", path, Map.of())))
        .as("once more")
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/export", "/export/", "/data", "//a//b/"})
  void provisionAndDelete_shareSpelling_givesCanonicalPath(String share) throws IOException {
    StartedNfsPlugin startedPlugin = new StartedNfsPlugin(mount, share);
    String path =
        StartedNfsPlugin.path(
            startedPlugin.provision(
                "pvc-u", "data-x", pattern("${.PVC.name}/x", "onDelete", "delete")));
    assertThat(path).isEqualTo(NfsExports.canonicalPath(share) + "/data-x/x");
    assertThat(mount.resolve("data-x/x")).isDirectory();
    assertThat(StartedNfsPlugin.isDone(startedPlugin.delete("pvc-u", path, Map.of()))).isTrue();
    assertThat(mount.resolve("data-x/x")).doesNotExist();
    assertThat(
            StartedNfsPlugin.refusal(
                startedPlugin.delete("pvc-u", NfsExports.canonicalPath(share) + "x/y", Map.of())))
        .isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fix", "fix/below"})
  void refusal_forADirectoryOfAnotherNamespace_doesNotNameItsVolume(String path) {
    Provisioner.ClaimInfo foreign =
        new Provisioner.ClaimInfo(ObjectKey.of("rival", "c"), Uid.of("r"), Map.of(), Map.of());
    StartedNfsPlugin.path(nfs.provision("secret", foreign, pattern("fix")));
    assertThat(StartedNfsPlugin.refusal(nfs.provision("pvc-2", "c", pattern(path))))
        .contains("a volume of another namespace")
        .doesNotContain("secret", "rival");
  }

  @Test
  void provision_directoryOfAnotherVolume_fails() throws IOException {
    assertThat(StartedNfsPlugin.path(nfs.provision("pvc-1", "c", pattern("${.PVC.namespace}/a"))))
        .isEqualTo("/export/ns/a");
    assertThat(
            StartedNfsPlugin.conflict(nfs.provision("pvc-2", "c", pattern("${.PVC.namespace}/a"))))
        .contains("belongs to volume pvc-1", "choose another pathPattern");
    assertThat(StartedNfsPlugin.refusal(nfs.provision("pvc-2", "c", pattern("${.PVC.namespace}"))))
        .contains("exists and belongs to no volume");
    assertThat(
            StartedNfsPlugin.refusal(nfs.provision("pvc-2", "c", pattern("${.PVC.namespace}/a/b"))))
        .contains("would lie in that of volume pvc-1");
    Files.createDirectory(mount.resolve("foreign"));
    assertThat(StartedNfsPlugin.refusal(nfs.provision("pvc-2", "c", pattern("foreign"))))
        .contains("exists and belongs to no volume");
    assertThat(StartedNfsPlugin.isDone(nfs.provision("pvc-2", "c", pattern("${.PVC.namespace}/b"))))
        .isTrue();
  }

  @Test
  void delete_directoryWithoutRecord_isRejected() throws IOException {
    Files.createDirectory(mount.resolve("foreign"));
    assertThat(StartedNfsPlugin.refusal(nfs.delete("pvc-u", "/export/foreign", DELETED)))
        .contains("was not created by this plugin for volume pvc-u");
    String path = StartedNfsPlugin.path(nfs.provision("pvc-1", "c", DELETED));
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-2", path, Map.of())))
        .as("no directory of this volume exists")
        .isTrue();
    assertThat(StartedNfsPlugin.refusal(nfs.delete("pvc-1", "/export/foreign", Map.of())))
        .contains("was created at \"ns-c-pvc-1\", not at \"foreign\"");
    assertThat(StartedNfsPlugin.refusal(nfs.delete("pvc-1", "/elsewhere/x", Map.of())))
        .contains("lies in none of the exports");
    assertThat(StartedNfsPlugin.refusal(nfs.delete("pvc-1", "/export/../etc", Map.of())))
        .contains("\"..\"");
    assertThat(StartedNfsPlugin.refusal(nfs.delete("../x", path, Map.of()))).contains("\"..\"");
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-9", "/export/missing", Map.of())))
        .as("case 43: there is nothing")
        .isTrue();
    assertThat(listDirectories()).containsExactly("foreign", "ns-c-pvc-1");
  }

  /** New volumes cannot have such names; records of existing ones stay valid. */
  @ParameterizedTest
  @ValueSource(strings = {"ns/.mooring", "ns/.mooring-new-x/y", ".mooring-new-x"})
  void delete_recordedHostileName_isRemoved(String path) throws Exception {
    assertThat(StartedNfsPlugin.refusal(nfs.provision("pvc-1", "c", pattern(path))))
        .contains("reserved");
    Path directory = Files.createDirectories(mount.resolve(path));
    Files.writeString(directory.resolve("data"), "x");
    new DirectoryRecords(DirectoryTree.withPrivateDirectory(mount), mount)
        .put(
            new DirectoryRecords.Entry(
                "pvc-1", RelativePath.existing(path), "ns", OnDelete.DELETE, false));
    assertThat(
            StartedNfsPlugin.isDone(
                nfs.plugin()
                    .usage()
                    .orElseThrow()
                    .measure(
                        new UsageMeter.Request(
                            "pvc-1",
                            VolumeSource.nfs(StartedNfsPlugin.SERVER, "/export/" + path)))))
        .isTrue();
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1", "/export/" + path, Map.of()))).isTrue();
    assertThat(directory).doesNotExist();
  }

  @Test
  void delete_twoVolumesWithOnePath_keepsBothArchives() throws IOException {
    Map<String, String> archived = pattern("${.PVC.namespace}/a");
    String path = StartedNfsPlugin.path(nfs.provision("pvc-1", "c", archived));
    Files.writeString(mount.resolve("ns/a/f"), "one");
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1", path, Map.of()))).isTrue();
    StartedNfsPlugin.path(nfs.provision("pvc-2", "c", archived));
    Files.writeString(mount.resolve("ns/a/f"), "two");
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-2", path, Map.of()))).isTrue();
    assertThat(mount.resolve("archived-ns-a-pvc-1/f")).hasContent("one");
    assertThat(mount.resolve("archived-ns-a-pvc-2/f")).hasContent("two");
  }

  @Test
  void delete_archiveNameIsTaken_addsNumber() throws IOException {
    Files.createDirectories(mount.resolve("archived-ns-c-pvc-1/data"));
    Files.writeString(mount.resolve("archived-ns-c-pvc-1-2"), "a file");
    String path = StartedNfsPlugin.path(nfs.provision("pvc-1", "c", Map.of()));
    Files.writeString(mount.resolve("ns-c-pvc-1/f"), "used");
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1", path, Map.of()))).isTrue();
    assertThat(mount.resolve("archived-ns-c-pvc-1-3/f")).hasContent("used");
    assertThat(listDirectories())
        .containsExactly("archived-ns-c-pvc-1", "archived-ns-c-pvc-1-2", "archived-ns-c-pvc-1-3");
  }

  /** The API server refused to save the volume, so its directory was deleted and created again. */
  @Test
  void delete_volumeRolledBackBefore_isArchived() throws IOException {
    String path = "/export/ns-c-pvc-1";
    for (int rollback = 0; rollback < 2; rollback++) {
      assertThat(StartedNfsPlugin.path(nfs.provision("pvc-1", "c", Map.of()))).isEqualTo(path);
      assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1", path, Map.of()))).isTrue();
    }
    StartedNfsPlugin.path(nfs.provision("pvc-1", "c", Map.of()));
    Files.writeString(mount.resolve("ns-c-pvc-1/f"), "used");
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1", path, Map.of()))).isTrue();
    assertThat(mount.resolve("archived-ns-c-pvc-1/f")).hasContent("used");
    assertThat(listDirectories()).containsExactly("archived-ns-c-pvc-1");
  }

  @Test
  void provision_volumeRolledBackBefore_ownsItsDirectory() {
    Map<String, String> retained = pattern("${.PVC.namespace}/shared", "onDelete", "retain");
    String path = StartedNfsPlugin.path(nfs.provision("pvc-1", "c", retained));
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1", path, Map.of()))).isTrue();
    assertThat(StartedNfsPlugin.path(nfs.provision("pvc-1", "c", retained))).isEqualTo(path);
    assertThat(StartedNfsPlugin.isDone(nfs.provision("pvc-2", "other", retained))).isFalse();
  }

  @Test
  void provision_retainedDirectory_isReusedByItsNamespaceOnly() throws IOException {
    Map<String, String> parameters = pattern("fix", "onDelete", "retain");
    String path = StartedNfsPlugin.path(nfs.provision("pvc-1", "c", parameters));
    Files.writeString(mount.resolve("fix/f"), "data");
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1", path, Map.of()))).isTrue();
    assertThat(mount.resolve("fix/f")).hasContent("data");
    assertThat(StartedNfsPlugin.refusal(nfs.provision("pvc-2", "c", parameters)))
        .contains("which was deleted and kept its directory", "reuseRetained");
    Map<String, String> reusingParameters =
        pattern("fix", "onDelete", "retain", "reuseRetained", "true");
    var otherVolume =
        new Provisioner.ClaimInfo(ObjectKey.of("other", "c"), Uid.of("u"), Map.of(), Map.of());
    assertThat(StartedNfsPlugin.refusal(nfs.provision("pvc-3", otherVolume, reusingParameters)))
        .contains("choose another");
    assertThat(StartedNfsPlugin.path(nfs.provision("pvc-2", "c", reusingParameters)))
        .isEqualTo(path);
    assertThat(mount.resolve("fix/f")).hasContent("data");
    assertThat(
            StartedNfsPlugin.isDone(
                nfs.delete("pvc-1", path, Map.of(OnDelete.ANNOTATION, "delete"))))
        .as("the deletion of the first volume is repeated")
        .isTrue();
    assertThat(mount.resolve("fix/f"))
        .as("the directory belongs to the second volume")
        .hasContent("data");
  }

  /** The process died after it had recorded the directory for the next volume. */
  @Test
  void provision_retryAfterNextVolume_keepsTheNewOwner() throws IOException {
    Map<String, String> parameters = pattern("fix", "onDelete", "retain", "reuseRetained", "true");
    String path = StartedNfsPlugin.path(nfs.provision("pvc-1", "c", parameters));
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1", path, Map.of()))).isTrue();
    Path record = mount.resolve(".mooring/volumes/pvc-1");
    byte[] recordBytes = Files.readAllBytes(record);
    StartedNfsPlugin.path(nfs.provision("pvc-2", "c", parameters));
    Files.write(record, recordBytes);
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1", path, Map.of()))).isTrue();
    assertThat(StartedNfsPlugin.conflict(nfs.provision("pvc-3", "c", parameters)))
        .contains("belongs to volume pvc-2")
        .doesNotContain("has left it");
  }

  @Test
  void provision_retryWithChangedClaim_keepsFirstDecision() {
    Map<String, String> byAnnotation = pattern("${.PVC.annotations.p}");
    String firstPath =
        StartedNfsPlugin.path(
            nfs.provision("pvc-1", StartedNfsPlugin.claim("c", Map.of("p", "a")), byAnnotation));
    assertThat(
            StartedNfsPlugin.path(
                nfs.provision(
                    "pvc-1", StartedNfsPlugin.claim("c", Map.of("p", "b")), byAnnotation)))
        .isEqualTo(firstPath);
    assertThat(
            StartedNfsPlugin.path(
                nfs.provision("pvc-1", StartedNfsPlugin.claim("c", Map.of()), byAnnotation)))
        .isEqualTo(firstPath);
    assertThat(mount.resolve("b")).doesNotExist();
  }

  @Test
  void delete_linkInPath_isRejected() throws IOException {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.createSymbolicLink(mount.resolve("link"), outside);
    assertThat(StartedNfsPlugin.refusal(nfs.provision("pvc-1", "c", pattern("link"))))
        .contains("exists");
    assertThat(StartedNfsPlugin.refusal(nfs.provision("pvc-1", "c", pattern("link/x"))))
        .contains("is not a directory");
    String path =
        StartedNfsPlugin.path(nfs.provision("pvc-1", "c", pattern("a/b", "onDelete", "delete")));
    Files.delete(mount.resolve("a/b"));
    Files.writeString(outside.resolve("f"), "mine");
    Files.createSymbolicLink(mount.resolve("a/b"), outside);
    assertThat(StartedNfsPlugin.isDone(nfs.delete("pvc-1", path, Map.of()))).isTrue();
    assertThat(outside.resolve("f")).hasContent("mine");
    assertThat(mount.resolve("a/b")).doesNotExist();
    assertThat(Files.exists(mount.resolve("a/b"), LinkOption.NOFOLLOW_LINKS)).isFalse();
  }

  @Test
  void delete_action_annotationOverridesRecord() throws IOException {
    String path = StartedNfsPlugin.path(nfs.provision("pvc-1", "c", DELETED));
    assertThat(
            StartedNfsPlugin.refusal(
                nfs.delete("pvc-1", path, Map.of(OnDelete.ANNOTATION, "shred"))))
        .contains("onDelete \"shred\" is unknown");
    assertThat(
            StartedNfsPlugin.isDone(
                nfs.delete("pvc-1", path, Map.of(OnDelete.ANNOTATION, "archive"))))
        .isTrue();
    assertThat(listDirectories()).containsExactly("archived-ns-c-pvc-1");
  }

  @Test
  void provision_recordsOpenToOthers_changesNothing() throws IOException {
    Path records = Files.createDirectory(mount.resolve(".mooring"));
    Files.setPosixFilePermissions(records, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(StartedNfsPlugin.failure(nfs.provision("pvc-1", "c", DELETED)))
        .isInstanceOf(Failure.Unreachable.class)
        .extracting(Failure::message)
        .asString()
        .contains("chmod 0700");
    assertThat(records).isEmptyDirectory();
  }

  @Test
  void provision_unreadableRecordOfPath_changesNothing() throws IOException {
    StartedNfsPlugin.path(nfs.provision("pvc-1", "c", pattern("fix")));
    Path record;
    try (Stream<Path> paths = Files.list(mount.resolve(".mooring/paths"))) {
      record = paths.findFirst().orElseThrow();
    }
    Files.delete(record);
    Files.createDirectory(record);
    assertThat(StartedNfsPlugin.failure(nfs.provision("pvc-2", "c", pattern("fix"))))
        .isInstanceOf(Failure.Unreachable.class);
    assertThat(mount.resolve(".mooring/volumes/pvc-2")).doesNotExist();
  }

  @Test
  void provision_unreadableRecordOfVolume_isUncertain() throws IOException {
    StartedNfsPlugin.path(nfs.provision("pvc-1", "c", DELETED));
    Files.writeString(mount.resolve(".mooring/volumes/pvc-1"), "path=/");
    assertThat(StartedNfsPlugin.failure(nfs.provision("pvc-1", "c", DELETED)))
        .isInstanceOf(Failure.Uncertain.class);
  }

  @Test
  void provision_exportNotMounted_isRejected() {
    StartedNfsPlugin plugin =
        new StartedNfsPlugin(
            Map.of(),
            Map.of(
                "nfs-exports",
                StartedNfsPlugin.SERVER + ":/export=" + mount,
                "nfs-require-mount",
                "true"));
    assertThat(plugin.provision("pvc-1", "c", DELETED).toString())
        .contains("Unreachable", "is on a file system of type");
    assertThat(plugin.delete("pvc-1", "/export/x", DELETED).toString()).contains("Unreachable");
    StartedNfsPlugin unmountedPlugin = new StartedNfsPlugin(mount.resolve("missing"), "/export");
    assertThat(unmountedPlugin.provision("pvc-1", "c", DELETED).toString())
        .contains("is not a directory");
  }

  @Test
  void start_environmentOfSubdirProvisioner_isAccepted() {
    StartedNfsPlugin environment =
        new StartedNfsPlugin(
            Map.of("NFS_SERVER", "s", "NFS_PATH", "/p", "PROVISIONER_NAME", "example.com/nfs"),
            Map.of());
    assertThat(environment.plugin().name()).isEqualTo("example.com/nfs");
    assertThat(environment.plugin().provisioner()).isPresent();
    StartedNfsPlugin idle = new StartedNfsPlugin(Map.of(), Map.of());
    assertThat(idle.plugin().name()).isEqualTo("k8s-sigs.io/nfs-subdir-external-provisioner");
    assertThat(idle.plugin().provisioner()).isEmpty();
    assertThat(idle.plugin().deleter()).isEmpty();
    assertThat(idle.plugin().supports(VolumeSource.nfs("s", "/"))).isTrue();
    assertThat(idle.plugin().supports(VolumeSource.hostPath("/"))).isFalse();
    assertThatThrownBy(() -> new StartedNfsPlugin(Map.of(), Map.of("nfs-require-mount", "maybe")))
        .hasMessageContaining("nfs-require-mount \"maybe\"");
  }
}
