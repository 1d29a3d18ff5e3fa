package dev.mooring.plugin.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Gone;
import dev.mooring.spi.Failure;
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

class DirectoriesTest {
  @TempDir Path base;
  private Path root;
  private Directories directories;

  @BeforeEach
  void root() throws IOException {
    root = Files.createDirectory(base.resolve("root"));
    Files.createDirectories(base.resolve("outside/precious"));
    directories = new Directories(root);
  }

  private Attempt<Gone> delete(String volume, String path, String... annotations) {
    return directories.delete(
        new Deleter.Request(
            volume,
            VolumeSource.hostPath(path),
            Quantity.of("1Gi"),
            annotations.length == 0
                ? Map.of()
                : Map.of(Directories.CREATED_BY, Directories.HOST_PATH_PROVISIONER)));
  }

  private static void assertRefused(Attempt<?> attempt) {
    assertThat(attempt)
        .isInstanceOfSatisfying(
            Attempt.Failed.class, f -> assertThat(f.why()).isInstanceOf(Failure.Rejected.class));
  }

  /** A mark says that hostPath made it; the source says that it is something else's. */
  @Test
  void aPathOfAnotherKindOfVolumeIsNotOurs() throws IOException {
    Path data = Files.createDirectories(root.resolve("export/data"));
    for (VolumeSource source :
        List.of(
            VolumeSource.nfs("server", data.toString()),
            new VolumeSource("local", Map.of("path", data.toString())),
            VolumeSource.csi("driver", "handle"))) {
      Attempt<Gone> attempt =
          directories.delete(new Deleter.Request("pv", source, Quantity.of("1Gi"), Map.of()));
      assertRefused(attempt);
      assertThat(attempt.toString())
          .contains(
              "failed to create deleter for volume \"pv\": spec.PersistentVolumeSource.HostPath is nil");
    }
    assertThat(data).exists();
  }

  @Test
  void theSameVolumeIsTheSameDirectory() {
    Attempt<String> first = directories.create("pvc-1");
    assertThat(first)
        .isInstanceOf(Attempt.Done.class)
        .isEqualTo(directories.create("pvc-1"))
        .isNotEqualTo(directories.create("pvc-2"));
  }

  @Test
  void deletesATreeAndDeletingAgainIsDone() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    Files.createDirectories(Path.of(path, "a/b"));
    Files.writeString(Path.of(path, "a/b/file"), "data");
    assertThat(delete("pvc-1", path)).isInstanceOf(Attempt.Done.class);
    assertThat(Path.of(path)).doesNotExist();
    assertThat(delete("pvc-1", path)).isInstanceOf(Attempt.Done.class);
  }

  @Test
  void aLinkWithinIsRemovedNotFollowed() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    Files.createSymbolicLink(Path.of(path, "link"), base.resolve("outside"));
    assertThat(delete("pvc-1", path)).isInstanceOf(Attempt.Done.class);
    assertThat(base.resolve("outside/precious")).exists();
  }

  @Test
  void aLinkOnTheWayIsNotFollowed() throws IOException {
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
  void whatIsNotBelowTheRootIsRefused(String path) {
    assertRefused(delete("pvc-1", path.replace("%s", root.toString())));
    assertThat(base.resolve("outside/precious")).exists();
    assertThat(root).exists();
  }

  @Test
  void whatIsInTheWayIsNoDirectory() throws IOException {
    Files.writeString(root.resolve("file"), "x");
    assertRefused(delete("by-hand", root + "/file/x"));
    assertThat(root.resolve("file")).hasContent("x");
  }

  @Test
  void anotherVolumesDirectoryIsNotDestroyed() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    assertRefused(delete("pvc-2", path));
    assertRefused(delete("pvc-2", path, "made by Kubernetes' provisioner, it says"));
    assertThat(Path.of(path)).isDirectory();
  }

  @Test
  void onlyMarkedDirectoriesAndThoseOfKubernetesAreDestroyed() throws IOException {
    Path unmarked = Files.createDirectories(root.resolve("hostpath_pv/1b2c"));
    assertRefused(delete("pvc-1", unmarked.toString()));
    assertThat(unmarked).isDirectory();
    assertThat(delete("pvc-1", unmarked.toString(), "made by Kubernetes' provisioner"))
        .isInstanceOf(Attempt.Done.class);
    assertThat(unmarked).doesNotExist();
  }

  @Test
  void theMarksThemselvesAreNoVolume() {
    directories.create("pvc-1");
    Path marks = root.resolve("hostpath_pv/.mooring");
    assertThat(Home.below(root, "hostpath_pv").isPlaceOf(marks)).isFalse();
  }

  @Test
  void elsewhereBelowTheRootKubernetesRuleHolds() throws IOException {
    Path scratch = Files.createDirectories(root.resolve("scratch/deep"));
    assertThat(delete("by-hand", scratch.getParent().toString())).isInstanceOf(Attempt.Done.class);
    assertThat(scratch.getParent()).doesNotExist();
  }

  @Test
  void aDirectoryThatIsThereAlreadyIsNotTaken() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    delete("pvc-1", path);
    Files.createDirectory(Path.of(path));
    assertRefused(directories.create("pvc-1"));
  }

  /** The mark comes first, and goes last: what a crash leaves is found again, and goes. */
  @Test
  void whatACrashLeavesIsFoundAgain() throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Files.delete(path);
    assertThat(directories.create("pvc-1")).isEqualTo(Attempt.done(path.toString()));
    Files.delete(path);
    assertThat(delete("pvc-1", path.toString())).isInstanceOf(Attempt.Done.class);
    assertThat(root.resolve("hostpath_pv/.mooring")).isEmptyDirectory();
  }

  /** Kubernetes' does so too. */
  @Test
  void aLinkToAnotherPlaceBelowTheRootIsAWay() throws IOException {
    Files.createDirectories(root.resolve("real/x/y"));
    Files.createSymbolicLink(root.resolve("way"), root.resolve("real"));
    assertThat(delete("by-hand", root + "/way/x")).isInstanceOf(Attempt.Done.class);
    assertThat(root.resolve("real")).isEmptyDirectory();
    assertThat(delete("by-hand", root + "/way")).isInstanceOf(Attempt.Done.class);
    assertThat(root.resolve("way")).doesNotExist();
    assertThat(root.resolve("real")).exists();
  }

  @Test
  void marksAreNotDestroyedAsIfTheyWereAVolume() throws IOException {
    directories.create("pvc-1");
    Path marks = root.resolve("hostpath_pv/.mooring");
    assertRefused(delete("by-hand", marks.toString()));
    assertThat(marks).isNotEmptyDirectory();
  }

  /** Whatever way leads there, whose it is decides. */
  @Test
  void aLinkToTheVolumesIsNoWayAroundTheirMarks() throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Files.createSymbolicLink(root.resolve("way"), root.resolve("hostpath_pv"));
    Path other = root.resolve("way").resolve(path.getFileName());
    assertRefused(delete("by-hand", other.toString()));
    assertRefused(delete("by-hand", other.toString(), "made by Kubernetes' provisioner, it says"));
    assertRefused(delete("by-hand", root + "/way/.mooring", "made by Kubernetes' provisioner"));
    assertThat(path).isDirectory();
    assertThat(delete("pvc-1", other.toString())).isInstanceOf(Attempt.Done.class);
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
  void whatIsAroundAVolumeOrInItIsNoVolume(String where) throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Files.createDirectories(path.resolve("sub/deep"));
    Files.createSymbolicLink(root.resolve("way"), root.resolve("hostpath_pv"));
    Files.createSymbolicLink(root.resolve("in"), path);
    Files.createSymbolicLink(root.resolve("up"), root);
    String asked = root + "/" + where.replace("%s", path.getFileName().toString());
    assertRefused(delete("by-hand", asked));
    assertRefused(delete("pvc-1", asked, "made by Kubernetes' provisioner, it says"));
    assertThat(path.resolve("sub/deep")).isDirectory();
    assertThat(root.resolve("hostpath_pv/.mooring")).isNotEmptyDirectory();
  }

  /** Whoever comes first may put anything there. */
  @ParameterizedTest
  @ValueSource(strings = {"../outside", "inside"})
  void aLinkInPlaceOfTheVolumesIsNotFollowed(String where) throws IOException {
    Path precious = Files.createDirectories(root.resolve(where).resolve("precious"));
    Files.createSymbolicLink(root.resolve("hostpath_pv"), Path.of(where));
    String asked = root + "/hostpath_pv/precious";
    assertRefused(delete("pvc-1", asked, "made by Kubernetes' provisioner, it says"));
    assertRefused(delete("pvc-1", asked));
    assertRefused(directories.create("pvc-1"));
    assertThat(precious).isDirectory();
    assertThat(precious.resolveSibling(".mooring")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"../outside", "inside"})
  void aLinkThatComesMeanwhileIsNotFollowed(String where) throws IOException {
    Path precious = Files.createDirectories(root.resolve(where).resolve("precious"));
    Files.createSymbolicLink(root.resolve("hostpath_pv"), Path.of(where));
    assertRefused(Home.below(root, "hostpath_pv").delete("pvc-1", Path.of("precious"), true));
    assertThat(precious).isDirectory();
  }

  @Test
  void whatIsNoDirectoryIsNotTakenForOne() throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Files.delete(path);
    Files.createSymbolicLink(path, base.resolve("outside"));
    assertRefused(directories.create("pvc-1"));
    assertThat(delete("pvc-1", path.toString())).isInstanceOf(Attempt.Done.class);
    assertThat(path).doesNotExist();
    assertThat(base.resolve("outside/precious")).exists();
  }

  @Test
  void aDirectoryIsItsUsersAndItsGroups() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(path))))
        .isEqualTo("rwxr-x---");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "a/b", "/abs", ".mooring", "a\nb"})
  void whatIsNoNameIsNoDirectory(String name) {
    Attempt<String> attempt = Home.below(root, "hostpath_pv").create("pvc-1", name);
    assertRefused(attempt);
    assertThat(attempt.toString()).contains("cannot be a directory of");
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void withoutItsFolderAVolumeIsGone() {
    assertThat(delete("pvc-1", root + "/hostpath_pv/1b2c")).isInstanceOf(Attempt.Done.class);
  }

  @Test
  void anInterruptedRemovalEndsAndTheNextOneFinishes() throws IOException {
    String path = ((Attempt.Done<String>) directories.create("pvc-1")).value();
    Files.writeString(Path.of(path, "f"), "x");
    Thread.currentThread().interrupt();
    Attempt<Gone> attempt = delete("pvc-1", path);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(attempt)
        .isInstanceOfSatisfying(
            Attempt.Failed.class, f -> assertThat(f.why()).isInstanceOf(Failure.Uncertain.class));
    assertThat(delete("pvc-1", path)).isInstanceOf(Attempt.Done.class);
  }

  /** Kubernetes removes such paths, and there is nothing to remove. */
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
  void delete_ofADirectoryThatNeverExisted_isDone(String path) throws IOException {
    directories.create("pvc-1");
    Files.createSymbolicLink(root.resolve("dangling"), Path.of("nowhere"));
    Files.createSymbolicLink(root.resolve("out"), Path.of("../outside"));
    assertThat(delete("pv", path.replace("%s", root.toString())))
        .isEqualTo(Attempt.done(new Gone()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hostpath_pv", "hostpath_pv/.mooring"})
  void placeThatOthersMayWriteInto_isNotTrusted(String place) throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Path trusted = root.resolve(place);
    for (String mode : List.of("rwxrwxr-x", "rwxr-xrwx")) {
      Files.setPosixFilePermissions(trusted, PosixFilePermissions.fromString(mode));
      for (Attempt<?> attempt :
          List.of(directories.create("pvc-2"), delete("pvc-1", path.toString()))) {
        assertRefused(attempt);
        assertThat(attempt.toString()).contains(trusted + " is", "mode " + mode, "chmod");
      }
    }
    assertThat(path).isDirectory();
    Files.setPosixFilePermissions(trusted, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(delete("pvc-1", path.toString())).isInstanceOf(Attempt.Done.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hostpath_pv", "hostpath_pv/.mooring"})
  void placeOfAnotherUser_isNotTrusted(String place) throws IOException {
    assumeTrue((int) Files.getAttribute(root, "unix:uid") == 0, "skipped: only root may chown");
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Files.setAttribute(root.resolve(place), "unix:uid", 65534);
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
  void placeThatThePluginMakes_isTrustedWhateverTheUmaskIs() throws IOException {
    directories.create("pvc-1");
    for (String place : List.of("hostpath_pv", "hostpath_pv/.mooring")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(place))))
          .endsWith("r-xr-x");
    }
  }

  @Test
  void markThatIsALink_isNotRead() throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Path mark = root.resolve("hostpath_pv/.mooring").resolve(path.getFileName());
    Path secret = Files.writeString(base.resolve("secret"), "pvc-1");
    Files.delete(mark);
    Files.createSymbolicLink(mark, secret);
    Attempt<Gone> attempt = delete("pvc-1", path.toString());
    assertThat(attempt).isInstanceOf(Attempt.Failed.class);
    assertThat(directories.create("pvc-1")).isInstanceOf(Attempt.Failed.class);
    assertThat(path).isDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a secret", "pvc-9\nType: Warning", "PVC", "", "pvc-\u202e9"})
  void markThatIsNoName_isNotShown(String text) throws IOException {
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
  void markLongerThanAnyName_isNotRead() throws IOException {
    Path path = Path.of(((Attempt.Done<String>) directories.create("pvc-1")).value());
    Files.writeString(
        root.resolve("hostpath_pv/.mooring").resolve(path.getFileName()), "a".repeat(1 << 20));
    Attempt<Gone> attempt = delete("pvc-1", path.toString());
    assertThat(attempt).isInstanceOf(Attempt.Failed.class);
    assertThat(attempt.toString()).hasSizeLessThan(1000);
  }
}
