package dev.mooring.spi.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.spi.UsageMeter.Usage;
import dev.mooring.spi.files.DirectoryTree.Access;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryTreeTest {
  private static final Access WORLD_WRITABLE = Access.of("rwxrwxrwx");

  @TempDir private Path folder;

  private DirectoryTree tree() throws IOException {
    return DirectoryTree.at(Files.createDirectories(folder.resolve("base")));
  }

  private static RelativePath path(String text) throws PathRejectedException {
    return RelativePath.of(text);
  }

  @Test
  void make_missingParents_restrictsOnlyParents() throws Exception {
    tree().make(path("ns/c/x"), WORLD_WRITABLE, "v");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("base/ns/c/x"))))
        .isEqualTo("rwxrwxrwx");
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("base/ns"))))
        .isEqualTo("rwxr-xr-x");
    assertThat(folder.resolve("base")).isDirectoryNotContaining("glob:**.mooring*");
  }

  @Test
  void make_existingDirectory_changesNothing() throws Exception {
    Path old = Files.createDirectories(folder.resolve("base/ns/c"));
    Files.writeString(old.resolve("data"), "kept");
    Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rwx------"));
    tree().make(path("ns/c"), WORLD_WRITABLE, "v");
    assertThat(old.resolve("data")).hasContent("kept");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(old)))
        .isEqualTo("rwx------");
  }

  @Test
  void make_draftOfSameKey_removesDraft() throws Exception {
    UUID id = UUID.nameUUIDFromBytes("v".getBytes(StandardCharsets.UTF_8));
    DirectoryTree tree = tree();
    // left by a process killed before the rename; the second is another volume's
    Path draft = Files.createDirectory(folder.resolve("base/" + RelativePath.DRAFT + id + "-1"));
    Path otherDraft = Files.createDirectory(folder.resolve("base/" + RelativePath.DRAFT + "other"));
    // name of drafts in earlier versions of local-path
    Path oldFormatDraft = Files.createDirectory(folder.resolve("base/" + RelativePath.DRAFT + id));
    tree.make(path("made"), WORLD_WRITABLE, "v");
    assertThat(folder.resolve("base/made")).isEmptyDirectory();
    assertThat(draft).doesNotExist();
    assertThat(oldFormatDraft).doesNotExist();
    assertThat(otherDraft).isDirectory();
  }

  /** Lists a root with thousands of volumes only once. */
  @Test
  void make_draftsAtRoot_listsRootOncePerTree() throws Exception {
    UUID id = UUID.nameUUIDFromBytes("v".getBytes(StandardCharsets.UTF_8));
    DirectoryTree tree = tree();
    Path before = Files.createDirectory(folder.resolve("base/" + RelativePath.DRAFT + id + "-1"));
    tree.make(path("first"), WORLD_WRITABLE, "another");
    Path after = Files.createDirectory(folder.resolve("base/" + RelativePath.DRAFT + id + "-2"));
    tree.make(path("second"), WORLD_WRITABLE, "v");
    assertThat(before).doesNotExist();
    assertThat(after).isDirectory();
    DirectoryTree.at(folder.resolve("base")).make(path("third"), WORLD_WRITABLE, "v");
    assertThat(after).doesNotExist();
  }

  @Test
  void make_draftsInPrivateDirectory_listsThemEachTime() throws Exception {
    UUID id = UUID.nameUUIDFromBytes("v".getBytes(StandardCharsets.UTF_8));
    DirectoryTree tree =
        DirectoryTree.withPrivateDirectory(Files.createDirectory(folder.resolve("own")));
    for (String name : List.of("first", "second")) {
      Path draft = Files.createDirectory(tree.privateDirectory("new").resolve(id + "-1"));
      tree.make(path(name), WORLD_WRITABLE, "v");
      assertThat(draft).doesNotExist();
    }
  }

  /** A rename by another process may put the draft in place, and a pod may write to it. */
  @Test
  void make_nonEmptyDraft_keepsDraft() throws Exception {
    UUID id = UUID.nameUUIDFromBytes("v".getBytes(StandardCharsets.UTF_8));
    DirectoryTree tree = tree();
    Path draft = Files.createDirectory(folder.resolve("base/" + RelativePath.DRAFT + id + "-1"));
    Files.writeString(draft.resolve("data"), "mine");
    tree.make(path("made"), WORLD_WRITABLE, "v");
    assertThat(folder.resolve("base/made")).isEmptyDirectory();
    assertThat(draft.resolve("data")).hasContent("mine");
  }

  @Test
  void remove_deepTreeWithLinks_keepsTargets() throws Exception {
    Path outerDirectory = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outerDirectory.resolve("data"), "mine");
    DirectoryTree tree = tree();
    tree.make(path("v"), WORLD_WRITABLE, "v");
    Path directory = folder.resolve("base/v");
    Files.createSymbolicLink(directory.resolve("link"), outerDirectory);
    for (int i = 0; i < 300; i++) {
      directory = Files.createDirectory(directory.resolve("deep"));
      Files.writeString(directory.resolve("f" + i), "x");
    }
    Files.createSymbolicLink(directory.resolve("link"), outerDirectory.resolve("data"));
    tree.remove(path("v"));
    assertThat(folder.resolve("base")).isEmptyDirectory();
    assertThat(outerDirectory.resolve("data")).hasContent("mine");
    tree.remove(path("v"));
    tree.remove(path("not/there"));
  }

  @Test
  void makeAndRemove_linkInPath_throw() throws Exception {
    Path outerDirectory = Files.createDirectories(folder.resolve("outside/v"));
    Files.writeString(outerDirectory.resolve("data"), "mine");
    DirectoryTree tree = tree();
    Files.createSymbolicLink(folder.resolve("base/ns"), folder.resolve("outside"));
    Files.createSymbolicLink(folder.resolve("base/v"), outerDirectory);
    for (String parent : new String[] {"ns/v", "v", "ns/new"}) {
      assertThatThrownBy(() -> tree.remove(path(parent)))
          .as(parent)
          .isInstanceOf(NotDirectoryException.class);
      assertThatThrownBy(() -> tree.make(path(parent), WORLD_WRITABLE, "x"))
          .as(parent)
          .isInstanceOf(NotDirectoryException.class);
    }
    assertThat(outerDirectory.resolve("data")).hasContent("mine");
    assertThat(folder.resolve("outside")).isDirectoryNotContaining("glob:**new");
  }

  @Test
  void remove_absentRoot_throws() {
    assertThatThrownBy(() -> DirectoryTree.at(folder.resolve("none")).remove(path("v")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none");
  }

  @Test
  void removeAndMeasure_interrupted_throw() throws Exception {
    DirectoryTree tree = tree();
    tree.make(path("v"), WORLD_WRITABLE, "v");
    Files.writeString(folder.resolve("base/v/f"), "x");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> tree.remove(path("v"))).isInstanceOf(InterruptedException.class);
    assertThat(folder.resolve("base/v/f")).exists();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> tree.measure(path("v"))).isInstanceOf(InterruptedException.class);
  }

  @Test
  void exists_absentRoot_throws() throws Exception {
    DirectoryTree none = DirectoryTree.at(folder.resolve("none"));
    assertThat(none.rootExists()).isFalse();
    assertThatThrownBy(() -> none.exists(path("v"))).hasMessageContaining("does not exist");
    assertThat(tree().exists(path("not/there"))).isFalse();
  }

  @Test
  void remove_fileOrLink_throwsUnlessRemoveAny() throws Exception {
    DirectoryTree tree = tree();
    Path outerDirectory = Files.createDirectory(folder.resolve("outside"));
    Path file = Files.writeString(folder.resolve("base/file"), "x");
    Path link = Files.createSymbolicLink(folder.resolve("base/link"), outerDirectory);
    for (String name : new String[] {"file", "link"}) {
      assertThatThrownBy(() -> tree.remove(path(name))).isInstanceOf(NotDirectoryException.class);
      tree.removeAny(path(name));
    }
    assertThat(file).doesNotExist();
    assertThat(link).doesNotExist();
    assertThat(outerDirectory).exists();
    Files.createDirectories(folder.resolve("base/tree/below"));
    tree.removeAny(path("tree"));
    tree.removeAny(path("tree"));
    assertThat(folder.resolve("base")).isEmptyDirectory();
  }

  @Test
  void make_treeWithPrivateDirectory_draftsThere() throws Exception {
    DirectoryTree tree =
        DirectoryTree.withPrivateDirectory(Files.createDirectories(folder.resolve("base")));
    int uid = (int) Files.getAttribute(folder, "unix:uid");
    int gid = (int) Files.getAttribute(folder, "unix:gid");
    Access access =
        new Access(
            PosixFilePermissions.fromString("rwxrwx---"), OptionalInt.of(uid), OptionalInt.of(gid));
    tree.make(path("a/b"), access, "v");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("base/a/b"))))
        .isEqualTo("rwxrwx---");
    assertThat(folder.resolve("base/.mooring/new")).isEmptyDirectory();
    for (String privateDirectory : new String[] {"base/.mooring", "base/.mooring/new"}) {
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(folder.resolve(privateDirectory))))
          .isEqualTo("rwx------");
    }
    assertThat(tree.privateDirectory("volumes")).isDirectory();
    for (String invalidName : new String[] {"..", "a/b", "", ".mooring"}) {
      assertThatThrownBy(() -> tree.privateDirectory(invalidName))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> tree.discard(path("a"), invalidName))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> tree.removeDiscarded(invalidName))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void privateDirectory_linkInItsPlace_throws() throws Exception {
    Path base = Files.createDirectories(folder.resolve("base"));
    Path outerDirectory = Files.createDirectories(folder.resolve("outside"));
    Files.createSymbolicLink(base.resolve(".mooring"), outerDirectory);
    DirectoryTree tree = DirectoryTree.withPrivateDirectory(base);
    assertThatThrownBy(() -> tree.privateDirectory("volumes"))
        .isInstanceOf(NotDirectoryException.class);
    assertThatThrownBy(() -> tree.make(path("v"), WORLD_WRITABLE, "v"))
        .isInstanceOf(NotDirectoryException.class);
    assertThat(outerDirectory).isEmptyDirectory();
  }

  /** Any user who can write to the root may create the private directory and its contents. */
  @Test
  void privateDirectory_openToOthers_throws() throws Exception {
    Path base = Files.createDirectories(folder.resolve("base"));
    DirectoryTree tree = DirectoryTree.withPrivateDirectory(base);
    Path privateDirectory = tree.privateDirectory("volumes").getParent();
    Files.setPosixFilePermissions(privateDirectory, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertPrivateDirectoryRejected(tree, "rwxrwxrwx");
    Files.setPosixFilePermissions(privateDirectory, PosixFilePermissions.fromString("rwx------"));
    assertThat(tree.privateDirectory("volumes")).isDirectory();
    assumeTrue(
        (int) Files.getAttribute(privateDirectory, "unix:uid") == 0,
        "skipped: only root can change the owner");
    Files.setAttribute(privateDirectory, "unix:uid", 65534);
    assertPrivateDirectoryRejected(tree, "has uid 65534");
  }

  private void assertPrivateDirectoryRejected(DirectoryTree tree, String message) throws Exception {
    RelativePath v = path("v");
    assertThatThrownBy(() -> tree.privateDirectory("volumes"))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(".mooring")
        .hasMessageContaining(message)
        .hasMessageContaining("chmod 0700");
    assertThatThrownBy(() -> tree.make(v, WORLD_WRITABLE, "v")).hasMessageContaining(message);
    assertThatThrownBy(() -> tree.removeDiscarded("v")).hasMessageContaining(message);
    assertThat(folder.resolve("base")).isDirectoryNotContaining("glob:**.mooring-*");
  }

  /** A file server that squashes root maps the creating user to another one. */
  @Test
  void privateDirectory_serverMapsUser_isAccepted() throws Exception {
    PrivateDirectory directory = new PrivateDirectory(folder, 4711);
    assertThat(directory.findOrCreate()).isEqualTo(directory.findOrCreate()).isDirectory();
    Files.setPosixFilePermissions(
        directory.findOrCreate(), PosixFilePermissions.fromString("rwx--x---"));
    assertThatThrownBy(directory::findOrCreate).hasMessageContaining("rwx--x---");
    assertThat(folder).isDirectoryNotContaining("glob:**.mooring-*");
  }

  @Test
  void discard_directory_freesPathAndRemovesLater() throws Exception {
    Path base = Files.createDirectories(folder.resolve("base"));
    Path outerDirectory = Files.createDirectories(folder.resolve("outside"));
    DirectoryTree tree = DirectoryTree.withPrivateDirectory(base);
    tree.make(path("ns/v"), WORLD_WRITABLE, "v");
    Path directory = base.resolve("ns/v");
    Files.createSymbolicLink(directory.resolve("link"), outerDirectory);
    for (int i = 0; i < 300; i++) {
      directory = Files.createDirectory(directory.resolve("deep"));
      Files.writeString(directory.resolve("f" + i), "x");
    }
    tree.discard(path("ns/v"), "v");
    assertThat(tree.exists(path("ns/v"))).isFalse();
    tree.discard(path("ns/v"), "v");
    tree.discard(path("not/there"), "w");
    assertThatThrownBy(() ->
            DirectoryTree.withPrivateDirectory(folder.resolve("none")).discard(path("v"), "v"))
        .hasMessageContaining("does not exist");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> tree.removeDiscarded("v")).isInstanceOf(InterruptedException.class);
    tree.removeDiscarded("v");
    tree.removeDiscarded("v");
    tree.removeDiscarded("another");
    assertThat(base.resolve(".mooring/trash")).isEmptyDirectory();
    assertThat(outerDirectory).exists();
    Files.createSymbolicLink(base.resolve("ns/link"), outerDirectory);
    tree.discard(path("ns/link"), "v");
    tree.removeDiscarded("v");
    assertThat(outerDirectory).exists();
  }

  @Test
  void move_existingTarget_throws() throws Exception {
    DirectoryTree tree = tree();
    tree.make(path("ns/v"), WORLD_WRITABLE, "v");
    tree.make(path("taken"), WORLD_WRITABLE, "w");
    assertThatThrownBy(() -> tree.move(path("ns/v"), path("taken")))
        .isInstanceOf(FileAlreadyExistsException.class);
    tree.move(path("ns/v"), path("kept"));
    assertThat(tree.exists(path("kept"))).isTrue();
    assertThat(tree.exists(path("ns/v"))).isFalse();
    Files.createSymbolicLink(folder.resolve("base/link"), folder);
    assertThatThrownBy(() -> tree.move(path("kept"), path("link/x")))
        .isInstanceOf(NotDirectoryException.class);
  }

  @Test
  void measure_tree_addsUpSizes() throws Exception {
    DirectoryTree tree = tree();
    tree.make(path("v"), WORLD_WRITABLE, "v");
    assertThat(tree.measure(path("v"))).isEqualTo(new Usage(0, 0));
    Path outerDirectory = Files.createDirectories(folder.resolve("outside"));
    Files.write(outerDirectory.resolve("large"), new byte[1 << 20]);
    Files.createDirectories(folder.resolve("base/v/a/b"));
    Files.write(folder.resolve("base/v/a/b/f"), new byte[1000]);
    Files.createSymbolicLink(folder.resolve("base/v/link"), outerDirectory);
    assertThat(tree.measure(path("v")))
        .isEqualTo(new Usage(1000 + outerDirectory.toString().length(), 4));
    assertThatThrownBy(() -> tree.measure(path("none"))).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> tree.measure(path("v/link")))
        .isInstanceOf(NotDirectoryException.class);
  }

  @Test
  void make_manyThreadsWithCommonParent_createsEveryDirectory() throws Exception {
    DirectoryTree tree = tree();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int round = 0; round < 50; round++) {
        String parent = "parent" + round;
        List<Future<?>> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          String volume = parent + "/x/v" + i;
          tasks.add(
              threads.submit(() -> {
                for (boolean exists = false; !exists; ) {
                  try {
                    tree.make(path(volume), WORLD_WRITABLE, volume);
                    exists = tree.exists(path(volume));
                  } catch (IOException e) {
                    Thread.onSpinWait(); // the host retries as well
                  }
                }
                return volume;
              }));
        }
        for (Future<?> task : tasks) {
          task.get();
        }
        assertThat(folder.resolve("base/" + parent + "/x").toFile().list()).hasSize(8);
      }
    }
    assertThat(folder.resolve("base")).isDirectoryNotContaining("glob:**.mooring*");
  }
}
