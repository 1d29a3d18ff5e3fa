package dev.mooring.plugin.nfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Provisioner.Provisioned;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Claims choose hostile paths while an attacker with write access to the volumes swaps directories
 * for links. Nothing outside the export changes, and no volume gets another one's directory. {@code
 * -Dmooring.nfs.inputs=1000000} runs more inputs, {@code -Dmooring.nfs.seed} others.
 */
class HostilePathsTest {
  private static final int INPUTS = Integer.getInteger("mooring.nfs.inputs", 1_000);
  private static final long SEED = Long.getLong("mooring.nfs.seed", 1);
  private static final List<String> PIECES =
      List.of(
          "..",
          ".",
          "/",
          "//",
          "",
          "a",
          "b",
          "a/b",
          "ns",
          "%2e%2e",
          "..%2f",
          "\\",
          "~",
          "-rf",
          "*",
          "\u0000",
          "\n",
          "\u2215",
          "\uff0f",
          "\u202e",
          "\u0301",
          "\uD800",
          "\uD83D\uDE00",
          " ",
          ".mooring",
          ".MOORING",
          "archived-x",
          "...",
          "a".repeat(254),
          "${.PVC.name}",
          "$(id)",
          "link",
          "victim",
          "mount",
          "outside");

  @TempDir private Path folder;
  private final Random random = new Random(SEED);
  private volatile boolean attacking = true;

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(5); i >= 0; i--) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
      if (random.nextInt(3) == 0) {
        text.append('/');
      }
    }
    return text.toString();
  }

  @Test
  @Timeout(3600)
  void plugin_hostilePathsAndSwappedLinks_staysInsideExport() throws Exception {
    Path mount = Files.createDirectory(folder.resolve("mount"));
    Path outerDirectory = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outerDirectory.resolve("victim"), "mine");
    Files.createDirectories(outerDirectory.resolve("b/c"));
    Files.createDirectory(mount.resolve("victim"));
    Files.writeString(mount.resolve("victim/f"), "mine");
    StartedNfsPlugin nfs = new StartedNfsPlugin(mount, "/export");
    Map<String, String> parameters =
        Map.of("pathPattern", "${.PVC.annotations.p}", "onDelete", "delete");
    Thread attacker = Thread.ofPlatform().start(() -> attack(mount, outerDirectory));
    int created = 0;
    try {
      List<String[]> volumes = new ArrayList<>();
      for (int i = 0; i < INPUTS; i++) {
        String volume = "pvc-" + i;
        Attempt<Provisioned> attempt =
            nfs.provision(volume, StartedNfsPlugin.claim("c", Map.of("p", text())), parameters);
        if (attempt instanceof Attempt.Done<Provisioned>(Provisioned it)) {
          created++;
          volumes.add(new String[] {volume, it.source().attribute("path")});
        }
        if (volumes.size() > 20) {
          String[] gone = volumes.remove(random.nextInt(volumes.size()));
          nfs.delete(gone[0], gone[1], Map.of());
        }
      }
    } finally {
      attacking = false;
      attacker.join();
    }
    assertThat(created).as("some paths are good").isGreaterThan(INPUTS / 100);
    assertThat(outerDirectory.resolve("victim")).hasContent("mine");
    assertThat(mount.resolve("victim/f")).hasContent("mine");
    try (Stream<Path> all = Files.walk(outerDirectory)) {
      assertThat(all.map(p -> outerDirectory.relativize(p).toString()))
          .containsExactlyInAnyOrder("", "victim", "b", "b/c");
    }
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all).containsExactlyInAnyOrder(mount, outerDirectory);
    }
  }

  private void attack(Path mount, Path outerDirectory) {
    Random own = new Random(SEED + 1);
    while (attacking) {
      try (Stream<Path> found = Files.walk(mount, 2)) {
        List<Path> swapped =
            found
                .filter(p -> p.startsWith(mount) && !p.equals(mount))
                .filter(p -> !p.startsWith(mount.resolve(".mooring")))
                .filter(p -> !p.startsWith(mount.resolve("victim")))
                .toList();
        if (!swapped.isEmpty()) {
          // one element at a time: below a link the attacker would change the outside itself
          swap(swapped.get(own.nextInt(swapped.size())), outerDirectory);
        }
      } catch (IOException | UncheckedIOException lostRace) {
        Thread.onSpinWait(); // the plugin removed it in the meantime
      }
    }
  }

  private static void swap(Path path, Path outerDirectory) throws IOException {
    if (Files.isSymbolicLink(path)) {
      Files.delete(path);
      Files.createDirectory(path);
    } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      Path movedPath = path.resolveSibling("swapped-" + System.nanoTime());
      Files.move(path, movedPath);
      Files.createSymbolicLink(path, outerDirectory);
    }
  }
}
