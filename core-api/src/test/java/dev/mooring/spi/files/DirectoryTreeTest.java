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
  private static final Access ANYBODYS = Access.of("rwxrwxrwx");

  @TempDir private Path folder;

  private DirectoryTree tree() throws IOException {
    return DirectoryTree.at(Files.createDirectories(folder.resolve("base")));
  }

  private static RelativePath path(String text) throws PathRefused {
    return RelativePath.of(text);
  }

  @Test
  void theDirectoryIsEverybodysAndTheWayThereIsNot() throws Exception {
    tree().make(path("ns/c/x"), ANYBODYS, "v");
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
  void whatIsThereStaysAsItIs() throws Exception {
    Path old = Files.createDirectories(folder.resolve("base/ns/c"));
    Files.writeString(old.resolve("data"), "kept");
    Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rwx------"));
    tree().make(path("ns/c"), ANYBODYS, "v");
    assertThat(old.resolve("data")).hasContent("kept");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(old)))
        .isEqualTo("rwx------");
  }

  @Test
  void aDraftThatWasLeftGoesWithTheNextTry() throws Exception {
    UUID id = UUID.nameUUIDFromBytes("v".getBytes(StandardCharsets.UTF_8));
    DirectoryTree tree = tree();
    // killed between the two steps; the second is of another volume
    Path draft = Files.createDirectory(folder.resolve("base/" + RelativePath.DRAFT + id + "-1"));
    Path other = Files.createDirectory(folder.resolve("base/" + RelativePath.DRAFT + "other"));
    // as local-path named them before there was a name for each try
    Path earlier = Files.createDirectory(folder.resolve("base/" + RelativePath.DRAFT + id));
    tree.make(path("made"), ANYBODYS, "v");
    assertThat(folder.resolve("base/made")).isEmptyDirectory();
    assertThat(draft).doesNotExist();
    assertThat(earlier).doesNotExist();
    assertThat(other).isDirectory();
  }

  /** A root with thousands of volumes is listed once for all of them. */
  @Test
  void draftsBesideVolumesAreLookedForOnceByEachTree() throws Exception {
    UUID id = UUID.nameUUIDFromBytes("v".getBytes(StandardCharsets.UTF_8));
    DirectoryTree tree = tree();
    Path before = Files.createDirectory(folder.resolve("base/" + RelativePath.DRAFT + id + "-1"));
    tree.make(path("first"), ANYBODYS, "another");
    Path after = Files.createDirectory(folder.resolve("base/" + RelativePath.DRAFT + id + "-2"));
    tree.make(path("second"), ANYBODYS, "v");
    assertThat(before).doesNotExist();
    assertThat(after).isDirectory();
    DirectoryTree.at(folder.resolve("base")).make(path("third"), ANYBODYS, "v");
    assertThat(after).doesNotExist();
  }

  /** There is nothing else in its folder. */
  @Test
  void draftsInItsOwnFolderAreLookedForAtEachTry() throws Exception {
    UUID id = UUID.nameUUIDFromBytes("v".getBytes(StandardCharsets.UTF_8));
    DirectoryTree tree = DirectoryTree.withOwn(Files.createDirectory(folder.resolve("own")));
    for (String name : List.of("first", "second")) {
      Path draft = Files.createDirectory(tree.own("new").resolve(id + "-1"));
      tree.make(path(name), ANYBODYS, "v");
      assertThat(draft).doesNotExist();
    }
  }

  /** A try of another process may bring it to its place, and a pod write into it, this moment. */
  @Test
  void aDraftThatHasSomethingInItStays() throws Exception {
    UUID id = UUID.nameUUIDFromBytes("v".getBytes(StandardCharsets.UTF_8));
    DirectoryTree tree = tree();
    Path draft = Files.createDirectory(folder.resolve("base/" + RelativePath.DRAFT + id + "-1"));
    Files.writeString(draft.resolve("data"), "mine");
    tree.make(path("made"), ANYBODYS, "v");
    assertThat(folder.resolve("base/made")).isEmptyDirectory();
    assertThat(draft.resolve("data")).hasContent("mine");
  }

  @Test
  void howeverDeepItIsItIsRemovedAndLinksAreRemovedAsLinks() throws Exception {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outside.resolve("data"), "mine");
    DirectoryTree tree = tree();
    tree.make(path("v"), ANYBODYS, "v");
    Path at = folder.resolve("base/v");
    Files.createSymbolicLink(at.resolve("link"), outside);
    for (int i = 0; i < 300; i++) {
      at = Files.createDirectory(at.resolve("deep"));
      Files.writeString(at.resolve("f" + i), "x");
    }
    Files.createSymbolicLink(at.resolve("link"), outside.resolve("data"));
    tree.remove(path("v"));
    assertThat(folder.resolve("base")).isEmptyDirectory();
    assertThat(outside.resolve("data")).hasContent("mine");
    tree.remove(path("v"));
    tree.remove(path("not/there"));
  }

  @Test
  void aLinkIsNotFollowed() throws Exception {
    Path outside = Files.createDirectories(folder.resolve("outside/v"));
    Files.writeString(outside.resolve("data"), "mine");
    DirectoryTree tree = tree();
    Files.createSymbolicLink(folder.resolve("base/ns"), folder.resolve("outside"));
    Files.createSymbolicLink(folder.resolve("base/v"), outside);
    for (String way : new String[] {"ns/v", "v", "ns/new"}) {
      assertThatThrownBy(() -> tree.remove(path(way)))
          .as(way)
          .isInstanceOf(NotDirectoryException.class);
      assertThatThrownBy(() -> tree.make(path(way), ANYBODYS, "x"))
          .as(way)
          .isInstanceOf(NotDirectoryException.class);
    }
    assertThat(outside.resolve("data")).hasContent("mine");
    assertThat(folder.resolve("outside")).isDirectoryNotContaining("glob:**new");
  }

  @Test
  void withoutItsBasePathNothingCountsAsRemoved() {
    assertThatThrownBy(() -> DirectoryTree.at(folder.resolve("none")).remove(path("v")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none");
  }

  @Test
  void anInterruptedRemovalEnds() throws Exception {
    DirectoryTree tree = tree();
    tree.make(path("v"), ANYBODYS, "v");
    Files.writeString(folder.resolve("base/v/f"), "x");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> tree.remove(path("v"))).isInstanceOf(InterruptedException.class);
    assertThat(folder.resolve("base/v/f")).exists();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> tree.measure(path("v"))).isInstanceOf(InterruptedException.class);
  }

  @Test
  void withoutItsRootNothingCountsAsMissing() throws Exception {
    DirectoryTree none = DirectoryTree.at(folder.resolve("none"));
    assertThat(none.isThere()).isFalse();
    assertThatThrownBy(() -> none.exists(path("v"))).hasMessageContaining("itself is not there");
    assertThat(tree().exists(path("not/there"))).isFalse();
  }

  @Test
  void somethingElseIsRemovedOnlyIfAnythingMayBe() throws Exception {
    DirectoryTree tree = tree();
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Path file = Files.writeString(folder.resolve("base/file"), "x");
    Path link = Files.createSymbolicLink(folder.resolve("base/link"), outside);
    for (String name : new String[] {"file", "link"}) {
      assertThatThrownBy(() -> tree.remove(path(name))).isInstanceOf(NotDirectoryException.class);
      tree.removeAny(path(name));
    }
    assertThat(file).doesNotExist();
    assertThat(link).doesNotExist();
    assertThat(outside).exists();
    Files.createDirectories(folder.resolve("base/tree/below"));
    tree.removeAny(path("tree"));
    tree.removeAny(path("tree"));
    assertThat(folder.resolve("base")).isEmptyDirectory();
  }

  @Test
  void aTreeWithItsOwnMakesDirectoriesThere() throws Exception {
    DirectoryTree tree = DirectoryTree.withOwn(Files.createDirectories(folder.resolve("base")));
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
    for (String own : new String[] {"base/.mooring", "base/.mooring/new"}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(own))))
          .isEqualTo("rwx------");
    }
    assertThat(tree.own("volumes")).isDirectory();
    for (String out : new String[] {"..", "a/b", "", ".mooring"}) {
      assertThatThrownBy(() -> tree.own(out)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> tree.discard(path("a"), out))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> tree.removeDiscarded(out))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void itsOwnIsNoLinkToElsewhere() throws Exception {
    Path base = Files.createDirectories(folder.resolve("base"));
    Path outside = Files.createDirectories(folder.resolve("outside"));
    Files.createSymbolicLink(base.resolve(".mooring"), outside);
    DirectoryTree tree = DirectoryTree.withOwn(base);
    assertThatThrownBy(() -> tree.own("volumes")).isInstanceOf(NotDirectoryException.class);
    assertThatThrownBy(() -> tree.make(path("v"), ANYBODYS, "v"))
        .isInstanceOf(NotDirectoryException.class);
    assertThat(outside).isEmptyDirectory();
  }

  /** Whoever may write at the root may put it there, and what they like into it. */
  @Test
  void itsOwnIsNobodyElses() throws Exception {
    Path base = Files.createDirectories(folder.resolve("base"));
    DirectoryTree tree = DirectoryTree.withOwn(base);
    Path own = tree.own("volumes").getParent();
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertOwnIsRefused(tree, "rwxrwxrwx");
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
    assertThat(tree.own("volumes")).isDirectory();
    assumeTrue((int) Files.getAttribute(own, "unix:uid") == 0, "skipped: only root gives away");
    Files.setAttribute(own, "unix:uid", 65534);
    assertOwnIsRefused(tree, "of user 65534");
  }

  private void assertOwnIsRefused(DirectoryTree tree, String why) throws Exception {
    RelativePath v = path("v");
    assertThatThrownBy(() -> tree.own("volumes"))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(".mooring")
        .hasMessageContaining(why)
        .hasMessageContaining("chmod 0700");
    assertThatThrownBy(() -> tree.make(v, ANYBODYS, "v")).hasMessageContaining(why);
    assertThatThrownBy(() -> tree.removeDiscarded("v")).hasMessageContaining(why);
    assertThat(folder.resolve("base")).isDirectoryNotContaining("glob:**.mooring-*");
  }

  /** A server that squashes root, say, gives what is made to another user. */
  @Test
  void itsOwnIsThatOfWhomTheServerTakesItFor() throws Exception {
    OwnPlace place = new OwnPlace(folder, 4711);
    assertThat(place.folder()).isEqualTo(place.folder()).isDirectory();
    Files.setPosixFilePermissions(place.folder(), PosixFilePermissions.fromString("rwx--x---"));
    assertThatThrownBy(place::folder).hasMessageContaining("rwx--x---");
    assertThat(folder).isDirectoryNotContaining("glob:**.mooring-*");
  }

  @Test
  void whatIsDiscardedIsGoneAtOnceAndRemovedLater() throws Exception {
    Path base = Files.createDirectories(folder.resolve("base"));
    Path outside = Files.createDirectories(folder.resolve("outside"));
    DirectoryTree tree = DirectoryTree.withOwn(base);
    tree.make(path("ns/v"), ANYBODYS, "v");
    Path at = base.resolve("ns/v");
    Files.createSymbolicLink(at.resolve("link"), outside);
    for (int i = 0; i < 300; i++) {
      at = Files.createDirectory(at.resolve("deep"));
      Files.writeString(at.resolve("f" + i), "x");
    }
    tree.discard(path("ns/v"), "v");
    assertThat(tree.exists(path("ns/v"))).isFalse();
    tree.discard(path("ns/v"), "v");
    tree.discard(path("not/there"), "w");
    assertThatThrownBy(() -> DirectoryTree.withOwn(folder.resolve("none")).discard(path("v"), "v"))
        .hasMessageContaining("itself is not there");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> tree.removeDiscarded("v")).isInstanceOf(InterruptedException.class);
    tree.removeDiscarded("v");
    tree.removeDiscarded("v");
    tree.removeDiscarded("another");
    assertThat(base.resolve(".mooring/trash")).isEmptyDirectory();
    assertThat(outside).exists();
    Files.createSymbolicLink(base.resolve("ns/link"), outside);
    tree.discard(path("ns/link"), "v");
    tree.removeDiscarded("v");
    assertThat(outside).exists();
  }

  @Test
  void whatIsMovedDisplacesNothing() throws Exception {
    DirectoryTree tree = tree();
    tree.make(path("ns/v"), ANYBODYS, "v");
    tree.make(path("taken"), ANYBODYS, "w");
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
  void whatIsBelowAddsUp() throws Exception {
    DirectoryTree tree = tree();
    tree.make(path("v"), ANYBODYS, "v");
    assertThat(tree.measure(path("v"))).isEqualTo(new Usage(0, 0));
    Path outside = Files.createDirectories(folder.resolve("outside"));
    Files.write(outside.resolve("large"), new byte[1 << 20]);
    Files.createDirectories(folder.resolve("base/v/a/b"));
    Files.write(folder.resolve("base/v/a/b/f"), new byte[1000]);
    Files.createSymbolicLink(folder.resolve("base/v/link"), outside);
    assertThat(tree.measure(path("v"))).isEqualTo(new Usage(1000 + outside.toString().length(), 4));
    assertThatThrownBy(() -> tree.measure(path("none"))).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> tree.measure(path("v/link")))
        .isInstanceOf(NotDirectoryException.class);
  }

  @Test
  void make_manyThreadsWithACommonParent_makesEveryDirectory() throws Exception {
    DirectoryTree tree = tree();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int round = 0; round < 50; round++) {
        String way = "way" + round;
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          String volume = way + "/x/v" + i;
          all.add(
              threads.submit(() -> {
                for (boolean made = false; !made; ) {
                  try {
                    tree.make(path(volume), ANYBODYS, volume);
                    made = tree.exists(path(volume));
                  } catch (IOException again) {
                    Thread.onSpinWait(); // the host retries as well
                  }
                }
                return volume;
              }));
        }
        for (Future<?> one : all) {
          one.get();
        }
        assertThat(folder.resolve("base/" + way + "/x").toFile().list()).hasSize(8);
      }
    }
    assertThat(folder.resolve("base")).isDirectoryNotContaining("glob:**.mooring*");
  }
}
