package dev.mooring.spi.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.spi.files.DirectoryTree.Access;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Operates on directories while an attacker with write access to the root replaces them with links
 * to the outside. Entries outside must stay unchanged and uncounted. {@code
 * -Dmooring.files.inputs=1000000} runs more operations, {@code -Dmooring.files.seed} other ones.
 */
class SwappedLinksTest {
  private static final int INPUTS = Integer.getInteger("mooring.files.inputs", 400);
  private static final long SEED = Long.getLong("mooring.files.seed", 1);
  private static final List<String> NAMES = List.of("a", "b", "c", "link", "victim");

  @TempDir private Path folder;
  private final Random random = new Random(SEED);
  private volatile boolean attacking = true;

  private RelativePath path() throws PathRejectedException {
    List<String> names = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      names.add(NAMES.get(random.nextInt(NAMES.size())));
    }
    return RelativePath.of(String.join("/", names));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Timeout(3600)
  void operations_entriesReplacedByLinks_neverLeaveRoot(boolean hasPrivateDirectory)
      throws Exception {
    Path root = Files.createDirectory(folder.resolve("root"));
    Path outerDirectory = Files.createDirectory(folder.resolve("outside"));
    Files.write(outerDirectory.resolve("victim"), new byte[1 << 20]);
    Files.createDirectories(outerDirectory.resolve("b/c"));
    DirectoryTree tree =
        hasPrivateDirectory ? DirectoryTree.withPrivateDirectory(root) : DirectoryTree.at(root);
    Path pipes = Files.createDirectory(folder.resolve("pipes"));
    pipe(pipes.resolve("pipe"));
    Thread attacker = Thread.ofPlatform().start(() -> attack(root, outerDirectory, pipes));
    int created = 0;
    int removed = 0;
    try {
      for (int i = 0; i < INPUTS; i++) {
        try {
          tree.make(path(), Access.of("rwxrwxrwx"), "v");
          created++;
          assertThat(tree.measure(path()).bytes()).isLessThan(1 << 20);
        } catch (IOException lostRace) {
          Thread.onSpinWait(); // expected
        }
        if (i % 100 == 0) {
          clear(tree, root);
        }
        try {
          remove(tree, hasPrivateDirectory, i);
          removed++;
        } catch (IOException lostRace) {
          Thread.onSpinWait();
        }
      }
    } finally {
      attacking = false;
      attacker.join();
    }
    assertThat(created).as("successful calls of make").isGreaterThan(INPUTS / 100);
    assertThat(removed).as("successful removals").isGreaterThan(INPUTS / 100);
    assertThat(outerDirectory.resolve("victim")).hasSize(1 << 20);
    try (Stream<Path> entries = Files.walk(outerDirectory)) {
      assertThat(entries.map(p -> outerDirectory.relativize(p).toString()))
          .containsExactlyInAnyOrder("", "victim", "b", "b/c");
    }
    try (Stream<Path> entries = Files.list(folder)) {
      assertThat(entries).containsExactlyInAnyOrder(root, outerDirectory, pipes);
    }
  }

  /** Replaces one entry as fast as possible, also between two checks. */
  @Test
  @Timeout(600)
  void enter_entryReplacedByLink_neverFollowsLink() throws Exception {
    Path root = Files.createDirectory(folder.resolve("root"));
    Path outerDirectory = Files.createDirectory(folder.resolve("outside"));
    Files.createDirectory(outerDirectory.resolve("victim"));
    Path name = Files.createDirectory(root.resolve("v"));
    Path link = Files.createSymbolicLink(root.resolve("link"), outerDirectory);
    Thread attacker = Thread.ofPlatform().start(() -> alternate(name, link));
    int entered = 0;
    try (OpenDirectory top = OpenDirectory.of(root, List.of())) {
      for (int i = 0; i < INPUTS * 50; i++) {
        try (OpenDirectory inside = top.enter(name.getFileName())) {
          assertThat(inside.contains(Path.of("victim"))).isFalse();
          entered++;
        } catch (IOException lostRace) {
          Thread.onSpinWait();
        }
      }
    } finally {
      attacking = false;
      attacker.join();
    }
    assertThat(entered).as("successful calls of enter").isGreaterThan(INPUTS);
  }

  @Test
  @Timeout(600)
  void enter_directoryReplacedByAnother_isNotRejectedAsNoDirectory() throws Exception {
    Path root = Files.createDirectory(folder.resolve("root"));
    Path name = Files.createDirectory(root.resolve("v"));
    Thread replacer = Thread.ofPlatform().start(() -> replace(name));
    try (OpenDirectory top = OpenDirectory.of(root, List.of())) {
      for (int i = 0; i < INPUTS * 50; i++) {
        assertThatNoException().isThrownBy(() -> enterUnlessReplaced(top, name.getFileName()));
      }
    } finally {
      attacking = false;
      replacer.join();
    }
  }

  private static void enterUnlessReplaced(OpenDirectory top, Path name) throws IOException {
    try {
      top.enter(name).close();
    } catch (NotDirectoryException rejected) {
      throw rejected;
    } catch (FileSystemException replaced) {
      Thread.onSpinWait(); // every attempt met another directory
    }
  }

  private void replace(Path name) {
    Path draft = name.resolveSibling("draft");
    try {
      while (attacking) {
        Files.createDirectory(draft);
        Files.move(draft, name, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void alternate(Path name, Path link) {
    Path movedPath = name.resolveSibling("aside");
    try {
      while (attacking) {
        Files.move(name, movedPath);
        Files.move(link, name);
        Files.move(name, link);
        Files.move(movedPath, name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void pipe(Path path) throws Exception {
    assumeTrue(
        new ProcessBuilder("mkfifo", path.toString()).start().waitFor() == 0, "skipped: no mkfifo");
  }

  /** Opening a pipe blocks and ignores interrupts. */
  @Test
  @Timeout(60)
  void operations_onPipe_throwWithoutBlocking() throws Exception {
    Path root = Files.createDirectory(folder.resolve("root"));
    pipe(root.resolve("pipe"));
    Files.createDirectory(root.resolve("v"));
    pipe(root.resolve("v/pipe"));
    DirectoryTree tree = DirectoryTree.at(root);
    assertThatThrownBy(() -> tree.exists(RelativePath.of("pipe/x")))
        .isInstanceOf(NotDirectoryException.class);
    assertThatThrownBy(() -> tree.measure(RelativePath.of("pipe")))
        .isInstanceOf(NotDirectoryException.class);
    assertThatThrownBy(() -> tree.remove(RelativePath.of("pipe")))
        .isInstanceOf(NotDirectoryException.class);
    assertThatThrownBy(() -> tree.make(RelativePath.of("pipe/x"), Access.of("rwx------"), "v"))
        .isInstanceOf(NotDirectoryException.class);
    assertThatThrownBy(() -> DirectoryTree.at(root.resolve("pipe")).exists(RelativePath.of("x")))
        .isInstanceOf(NotDirectoryException.class);
    assertThat(tree.measure(RelativePath.of("v")).files()).isEqualTo(1);
    tree.remove(RelativePath.of("v"));
    assertThat(root.resolve("v")).doesNotExist();
  }

  /** Removes replaced directories, which would accumulate. */
  private static void clear(DirectoryTree tree, Path root) throws Exception {
    String[] names = root.toFile().list((folder, name) -> name.startsWith("swapped-"));
    for (String name : Objects.requireNonNull(names)) {
      try {
        tree.removeAny(RelativePath.of(name));
      } catch (IOException lostRace) {
        Thread.onSpinWait();
      }
    }
  }

  private void remove(DirectoryTree tree, boolean hasPrivateDirectory, int i) throws Exception {
    switch (i % 4) {
      case 0 -> tree.remove(path());
      case 1 -> tree.removeAny(path());
      case 2 -> {
        // to a name that the attacker never replaced
        RelativePath moved = RelativePath.of("moved-" + i);
        tree.move(path(), moved);
        tree.removeAny(moved);
      }
      default -> {
        if (hasPrivateDirectory) {
          tree.discard(path(), "v");
          tree.removeDiscarded("v");
        } else {
          tree.removeAny(path());
        }
      }
    }
  }

  /** Replaces entries below the root with links and pipes as fast as possible. */
  private void attack(Path root, Path outerDirectory, Path pipes) {
    Random attackerRandom = new Random(SEED + 1);
    while (attacking) {
      try (Stream<Path> entries = Files.walk(root, 3)) {
        List<Path> swapped =
            entries
                .filter(p -> !p.equals(root) && !p.startsWith(root.resolve(RelativePath.PRIVATE)))
                .toList();
        if (!swapped.isEmpty()) {
          // one at a time: below a link, the attacker itself would change the outside
          swap(
              swapped.get(attackerRandom.nextInt(swapped.size())),
              outerDirectory,
              pipes,
              attackerRandom.nextInt(4) == 0);
        }
      } catch (IOException | UncheckedIOException lostRace) {
        Thread.onSpinWait(); // removed concurrently
      }
    }
  }

  private static void swap(Path path, Path outerDirectory, Path pipes, boolean pipe)
      throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      Path movedPath = path.resolveSibling("swapped-" + System.nanoTime());
      Files.move(path, movedPath);
      if (pipe) {
        Files.createLink(path, pipes.resolve("pipe"));
      } else {
        Files.createSymbolicLink(path, outerDirectory);
      }
    } else {
      Files.delete(path);
      Files.createDirectory(path);
    }
  }
}
