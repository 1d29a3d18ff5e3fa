package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Deleted;
import dev.mooring.spi.Failure;
import dev.mooring.spi.VolumeInventory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPathDirectoriesTest {
  @TempDir Path base;
  private Path root;
  private HostPathDirectories directories;

  @BeforeEach
  void root() throws IOException {
    root = Files.createDirectory(base.resolve("root"));
    Files.createDirectories(base.resolve("outside/precious"));
    directories = new HostPathDirectories(root);
  }

  private Attempt<Deleted> delete(String volume, String path, String... annotations) {
    return directories.delete(
        new Deleter.Request(
            volume,
            VolumeSource.hostPath(path),
            Quantity.of("1Gi"),
            annotations.length == 0
                ? Map.of()
                : Map.of(
                    HostPathDirectories.CREATED_BY, HostPathDirectories.HOST_PATH_PROVISIONER)));
  }

  private static void assertRefused(Attempt<?> attempt) {
    assertThat(attempt)
        .isInstanceOfSatisfying(
            Attempt.Failed.class,
            f -> assertThat(f.failure()).isInstanceOf(Failure.Rejected.class));
  }

  @Test
  void contains_directoryBeforeAndAfterDeletion_findsItBefore() throws IOException {
    Path data = Files.createDirectories(root.resolve("data"));
    VolumeInventory.Request request =
        new VolumeInventory.Request("pv", VolumeSource.hostPath(data.toString()));
    assertThat(directories.contains(request)).isEqualTo(Attempt.done(true));
    delete("pv", data.toString());
    assertThat(directories.contains(request)).isEqualTo(Attempt.done(false));
  }

  /** The mark belongs to hostPath, but the source has another type. */
  @Test
  void delete_otherSourceType_isRejected() throws IOException {
    Path data = Files.createDirectories(root.resolve("export/data"));
    for (VolumeSource source :
        List.of(
            VolumeSource.nfs("server", data.toString()),
            new VolumeSource("local", Map.of("path", data.toString())),
            VolumeSource.csi("driver", "handle"))) {
      Attempt<Deleted> attempt =
          directories.delete(new Deleter.Request("pv", source, Quantity.of("1Gi"), Map.of()));
      assertRefused(attempt);
      assertThat(attempt.toString())
          .contains(
              "failed to create deleter for volume \"pv\": spec.PersistentVolumeSource.HostPath is nil");
    }
    assertThat(data).exists();
  }

  @Test
  void create_retry_returnsSameDirectory() {
    Attempt<String> firstAttempt = directories.create("pvc-1");
    assertThat(firstAttempt)
        .isInstanceOf(Attempt.Done.class)
        .isEqualTo(directories.create("pvc-1"))
        .isNotEqualTo(directories.create("pvc-2"));
  }

  @Test
  void delete_twice_succeeds() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    Files.createDirectories(Path.of(path, "a/b"));
    Files.writeString(Path.of(path, "a/b/file"), "data");
    assertThat(delete("pvc-1", path)).isInstanceOf(Attempt.Done.class);
    assertThat(Path.of(path)).doesNotExist();
    assertThat(delete("pvc-1", path)).isInstanceOf(Attempt.Done.class);
  }

  @Test
  void delete_linkInTree_removesLinkOnly() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    Files.createSymbolicLink(Path.of(path, "link"), base.resolve("outside"));
    assertThat(delete("pvc-1", path)).isInstanceOf(Attempt.Done.class);
    assertThat(base.resolve("outside/precious")).exists();
  }

  @Test
  void delete_linkInPathLeadingOut_isRejected() throws IOException {
    Files.createSymbolicLink(root.resolve("way"), base.resolve("outside"));
    assertRefused(delete("pvc-1", root + "/way/precious"));
    assertThat(base.resolve("outside/precious")).exists();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "relative",
        "%s",
        "%s/",
        "%s/../outside/precious",
        "/data/tmp/x",
        "%s2/x",
        "%s/a\0b"
      })
  void delete_pathOutsideRoot_isRejected(String path) {
    assertRefused(delete("pvc-1", path.replace("%s", root.toString())));
    assertThat(base.resolve("outside/precious")).exists();
    assertThat(root).exists();
  }

  @Test
  void create_fileAtPath_isRejected() throws IOException {
    Files.writeString(root.resolve("file"), "x");
    assertRefused(delete("by-hand", root + "/file/x"));
    assertThat(root.resolve("file")).hasContent("x");
  }

  @Test
  void delete_directoryOfAnotherVolume_isRejected() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    assertRefused(delete("pvc-2", path));
    assertRefused(delete("pvc-2", path, "made by Kubernetes' provisioner, it says"));
    assertThat(Path.of(path)).isDirectory();
  }

  @Test
  void delete_unmarkedDirectory_requiresKubernetesAnnotation() throws IOException {
    Path unmarked = Files.createDirectories(root.resolve("hostpath_pv/1b2c"));
    assertRefused(delete("pvc-1", unmarked.toString()));
    assertThat(unmarked).isDirectory();
    assertThat(delete("pvc-1", unmarked.toString(), "made by Kubernetes' provisioner"))
        .isInstanceOf(Attempt.Done.class);
    assertThat(unmarked).doesNotExist();
  }

  @Test
  void delete_marksDirectory_isRejected() {
    directories.create("pvc-1");
    Path marks = root.resolve("hostpath_pv/.mooring");
    assertThat(MarkedFolder.below(root, "hostpath_pv").isVolumeDirectory(marks)).isFalse();
  }

  @Test
  void delete_otherDirectoryBelowRoot_followsKubernetes() throws IOException {
    Path scratch = Files.createDirectories(root.resolve("scratch/deep"));
    assertThat(delete("by-hand", scratch.getParent().toString())).isInstanceOf(Attempt.Done.class);
    assertThat(scratch.getParent()).doesNotExist();
  }

  @Test
  void create_existingDirectory_isRejected() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    delete("pvc-1", path);
    Files.createDirectory(Path.of(path));
    assertRefused(directories.create("pvc-1"));
  }

  /** The mark is written first and deleted last. */
  @Test
  void create_afterCrash_continues() throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Files.delete(path);
    assertThat(directories.create("pvc-1")).isEqualTo(Attempt.done(path.toString()));
    Files.delete(path);
    assertThat(delete("pvc-1", path.toString())).isInstanceOf(Attempt.Done.class);
    assertThat(root.resolve("hostpath_pv/.mooring")).isEmptyDirectory();
  }

  /** kube-controller-manager follows such links too. */
  @Test
  void delete_linkToPathBelowRoot_isFollowed() throws IOException {
    Files.createDirectories(root.resolve("real/x/y"));
    Files.createSymbolicLink(root.resolve("way"), root.resolve("real"));
    assertThat(delete("by-hand", root + "/way/x")).isInstanceOf(Attempt.Done.class);
    assertThat(root.resolve("real")).isEmptyDirectory();
    assertThat(delete("by-hand", root + "/way")).isInstanceOf(Attempt.Done.class);
    assertThat(root.resolve("way")).doesNotExist();
    assertThat(root.resolve("real")).exists();
  }

  @Test
  void delete_pathOfMarks_isRejected() throws IOException {
    directories.create("pvc-1");
    Path marks = root.resolve("hostpath_pv/.mooring");
    assertRefused(delete("by-hand", marks.toString()));
    assertThat(marks).isNotEmptyDirectory();
  }

  @Test
  void delete_linkToVolumes_stillChecksMarks() throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Files.createSymbolicLink(root.resolve("way"), root.resolve("hostpath_pv"));
    Path otherPath = root.resolve("way").resolve(path.getFileName());
    assertRefused(delete("by-hand", otherPath.toString()));
    assertRefused(
        delete("by-hand", otherPath.toString(), "made by Kubernetes' provisioner, it says"));
    assertRefused(delete("by-hand", root + "/way/.mooring", "made by Kubernetes' provisioner"));
    assertThat(path).isDirectory();
    assertThat(delete("pvc-1", otherPath.toString())).isInstanceOf(Attempt.Done.class);
    assertThat(path).doesNotExist();
    assertThat(root.resolve("hostpath_pv/.mooring")).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hostpath_pv",
        "hostpath_pv/%s/sub",
        "hostpath_pv/%s/sub/deep",
        "hostpath_pv/.mooring/%s",
        "way/%s/sub",
        "in/sub",
        "up/hostpath_pv"
      })
  void delete_parentOrChildOfVolume_isRejected(String relativePath) throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Files.createDirectories(path.resolve("sub/deep"));
    Files.createSymbolicLink(root.resolve("way"), root.resolve("hostpath_pv"));
    Files.createSymbolicLink(root.resolve("in"), path);
    Files.createSymbolicLink(root.resolve("up"), root);
    String otherPath = root + "/" + relativePath.replace("%s", path.getFileName().toString());
    assertRefused(delete("by-hand", otherPath));
    assertRefused(delete("pvc-1", otherPath, "made by Kubernetes' provisioner, it says"));
    assertThat(path.resolve("sub/deep")).isDirectory();
    assertThat(root.resolve("hostpath_pv/.mooring")).isNotEmptyDirectory();
  }

  /** The first writer below the root may put anything there. */
  @ParameterizedTest
  @ValueSource(strings = {"../outside", "inside"})
  void create_linkInPlaceOfVolumes_isRejected(String relativePath) throws IOException {
    Path existingData = Files.createDirectories(root.resolve(relativePath).resolve("precious"));
    Files.createSymbolicLink(root.resolve("hostpath_pv"), Path.of(relativePath));
    String path = root + "/hostpath_pv/precious";
    assertRefused(delete("pvc-1", path, "made by Kubernetes' provisioner, it says"));
    assertRefused(delete("pvc-1", path));
    assertRefused(directories.create("pvc-1"));
    assertThat(existingData).isDirectory();
    assertThat(existingData.resolveSibling(".mooring")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"../outside", "inside"})
  void create_linkAppearsDuringCall_isNotFollowed(String relativePath) throws IOException {
    Path existingData = Files.createDirectories(root.resolve(relativePath).resolve("precious"));
    Files.createSymbolicLink(root.resolve("hostpath_pv"), Path.of(relativePath));
    assertRefused(
        MarkedFolder.below(root, "hostpath_pv").delete("pvc-1", Path.of("precious"), true));
    assertThat(existingData).isDirectory();
  }

  @Test
  void delete_fileAtPath_isRejected() throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Files.delete(path);
    Files.createSymbolicLink(path, base.resolve("outside"));
    assertRefused(directories.create("pvc-1"));
    assertThat(delete("pvc-1", path.toString())).isInstanceOf(Attempt.Done.class);
    assertThat(path).doesNotExist();
    assertThat(base.resolve("outside/precious")).exists();
  }

  @Test
  void create_directory_hasModeForUserAndGroup() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(path))))
        .isEqualTo("rwxr-x---");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "a/b", "/abs", ".mooring", "a\nb"})
  void create_invalidName_isRejected(String name) {
    Attempt<String> attempt = MarkedFolder.below(root, "hostpath_pv").create("pvc-1", name);
    assertRefused(attempt);
    assertThat(attempt.toString()).contains("cannot have a directory in");
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void delete_absentFolder_succeeds() {
    assertThat(delete("pvc-1", root + "/hostpath_pv/1b2c")).isInstanceOf(Attempt.Done.class);
  }

  @Test
  void delete_afterInterrupt_finishes() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    Files.writeString(Path.of(path, "f"), "x");
    Thread.currentThread().interrupt();
    Attempt<Deleted> attempt = delete("pvc-1", path);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(attempt)
        .isInstanceOfSatisfying(
            Attempt.Failed.class,
            f -> assertThat(f.failure()).isInstanceOf(Failure.Uncertain.class));
    assertThat(delete("pvc-1", path)).isInstanceOf(Attempt.Done.class);
  }

  /** kube-controller-manager succeeds for such paths. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s/never",
        "%s/never/deep",
        "%s/./x",
        "%s/never/../x",
        "/data%s/x",
        "%s/dangling/x",
        "%s/out/x",
        "%s/hostpath_pv/never",
        "%s/hostpath_pv/never/deep"
      })
  void delete_directoryNeverCreated_succeeds(String path) throws IOException {
    directories.create("pvc-1");
    Files.createSymbolicLink(root.resolve("dangling"), Path.of("nowhere"));
    Files.createSymbolicLink(root.resolve("out"), Path.of("../outside"));
    assertThat(delete("pv", path.replace("%s", root.toString())))
        .isEqualTo(Attempt.done(new Deleted()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hostpath_pv", "hostpath_pv/.mooring"})
  void createAndDelete_folderWritableByOthers_areRejected(String folder) throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Path trusted = root.resolve(folder);
    for (String mode : List.of("rwxrwxr-x", "rwxr-xrwx")) {
      Files.setPosixFilePermissions(trusted, PosixFilePermissions.fromString(mode));
      for (Attempt<?> attempt :
          List.of(directories.create("pvc-2"), delete("pvc-1", path.toString()))) {
        assertRefused(attempt);
        assertThat(attempt.toString()).contains(trusted + " has uid", "mode " + mode, "chmod");
      }
    }
    assertThat(path).isDirectory();
    Files.setPosixFilePermissions(trusted, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(delete("pvc-1", path.toString())).isInstanceOf(Attempt.Done.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hostpath_pv", "hostpath_pv/.mooring"})
  void createAndDelete_folderOfAnotherUser_areRejected(String folder) throws IOException {
    assumeTrue((int) Files.getAttribute(root, "unix:uid") == 0, "skipped: only root may chown");
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Files.setAttribute(root.resolve(folder), "unix:uid", 65534);
    for (Attempt<?> attempt :
        List.of(
            directories.create("pvc-1"),
            directories.create("pvc-2"),
            delete("pvc-1", path.toString()))) {
      assertRefused(attempt);
      assertThat(attempt.toString()).contains("has uid 65534", "chown");
    }
    assertThat(path).isDirectory();
  }

  @Test
  void create_newFolder_isNotWritableByOthersUnderAnyUmask() throws IOException {
    directories.create("pvc-1");
    for (String folder : List.of("hostpath_pv", "hostpath_pv/.mooring")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(folder))))
          .endsWith("r-xr-x");
    }
  }

  @Test
  void createAndDelete_markIsLink_fail() throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Path mark = root.resolve("hostpath_pv/.mooring").resolve(path.getFileName());
    Path secret = Files.writeString(base.resolve("secret"), "pvc-1");
    Files.delete(mark);
    Files.createSymbolicLink(mark, secret);
    Attempt<Deleted> attempt = delete("pvc-1", path.toString());
    assertThat(attempt).isInstanceOf(Attempt.Failed.class);
    assertThat(directories.create("pvc-1")).isInstanceOf(Attempt.Failed.class);
    assertThat(path).isDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a secret", "pvc-9\nType: Warning", "PVC", "", "pvc-\u202e9"})
  void createAndDelete_damagedMark_failWithoutItsText(String text) throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Files.writeString(root.resolve("hostpath_pv/.mooring").resolve(path.getFileName()), text);
    for (Attempt<?> attempt :
        List.of(directories.create("pvc-1"), delete("pvc-1", path.toString()))) {
      assertThat(attempt).isInstanceOf(Attempt.Failed.class);
      assertThat(attempt.toString()).contains("is damaged");
      if (!text.isEmpty()) {
        assertThat(attempt.toString()).doesNotContain(text);
      }
    }
    assertThat(path).isDirectory();
  }

  @Test
  void delete_markLongerThanAnyName_isNotRead() throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Files.writeString(
        root.resolve("hostpath_pv/.mooring").resolve(path.getFileName()), "a".repeat(1 << 20));
    Attempt<Deleted> attempt = delete("pvc-1", path.toString());
    assertThat(attempt).isInstanceOf(Attempt.Failed.class);
    assertThat(attempt.toString()).hasSizeLessThan(1000);
  }
}
