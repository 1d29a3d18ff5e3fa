package dev.mooring.plugin.localpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryTreeTest {
  @TempDir private Path folder;

  private DirectoryTree tree() throws IOException {
    return new DirectoryTree(Files.createDirectories(folder.resolve("base")));
  }

  private static RelativePath path(String text) throws Refused {
    return RelativePath.of(text);
  }

  @Test
  void theDirectoryIsEverybodysAndTheWayThereIsNot() throws Exception {
    tree().make(path("ns/c/x"), "v");
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
    tree().make(path("ns/c"), "v");
    assertThat(old.resolve("data")).hasContent("kept");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(old)))
        .isEqualTo("rwx------");
  }

  @Test
  void aDraftThatWasLeftIsUsed() throws Exception {
    DirectoryTree tree = tree();
    tree.make(path("other"), "v");
    Path made = folder.resolve("base/other");
    Path draft =
        folder
            .resolve("base")
            .resolve(
                RelativePath.DRAFT
                    + java.util.UUID.nameUUIDFromBytes(
                        "v".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    Files.move(made, draft); // killed between the two steps
    tree.make(path("other"), "v");
    assertThat(made).isDirectory();
    assertThat(draft).doesNotExist();
  }

  @Test
  void howeverDeepItIsItIsRemovedAndLinksAreRemovedAsLinks() throws Exception {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outside.resolve("data"), "mine");
    DirectoryTree tree = tree();
    tree.make(path("v"), "v");
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
      assertThatThrownBy(() -> tree.make(path(way), "x"))
          .as(way)
          .isInstanceOf(NotDirectoryException.class);
    }
    assertThat(outside.resolve("data")).hasContent("mine");
    assertThat(folder.resolve("outside")).isDirectoryNotContaining("glob:**new");
  }

  @Test
  void withoutItsBasePathNothingCountsAsRemoved() {
    assertThatThrownBy(() -> new DirectoryTree(folder.resolve("none")).remove(path("v")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none");
  }

  @Test
  void anInterruptedRemovalEnds() throws Exception {
    DirectoryTree tree = tree();
    tree.make(path("v"), "v");
    Files.writeString(folder.resolve("base/v/f"), "x");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> tree.remove(path("v"))).isInstanceOf(InterruptedException.class);
    assertThat(folder.resolve("base/v/f")).exists();
  }
}
