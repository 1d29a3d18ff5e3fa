package dev.mooring.plugin.localpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ObjectKey;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Provisioner;
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
 * for links. Nothing outside the base path changes. {@code -Dmooring.localpath.inputs=1000000} runs
 * more inputs, {@code -Dmooring.localpath.seed} others.
 */
class HostilePathsTest {
  private static final int INPUTS = Integer.getInteger("mooring.localpath.inputs", 1_000);
  private static final long SEED = Long.getLong("mooring.localpath.seed", 1);
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
          ".mooring-new-x",
          "...",
          "a".repeat(254),
          "{{ .PVC.Name }}",
          "$(id)",
          "link",
          "victim",
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
  void plugin_hostilePathsAndSwappedLinks_staysInsideBasePath() throws Exception {
    Path base = Files.createDirectory(folder.resolve("base"));
    Path outerDirectory = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outerDirectory.resolve("victim"), "mine");
    Files.createDirectories(outerDirectory.resolve("b/c"));
    Files.createDirectory(base.resolve("victim"));
    Files.writeString(base.resolve("victim/f"), "mine");
    LocalPathPlugin plugin =
        LocalPathFixtures.plugin(
            folder,
            LocalPathFixtures.config(base),
            FakeCluster.of(LocalPathFixtures.node("node-1")),
            Map.of());
    Provisioner provisioner = plugin.provisioner().orElseThrow();
    Deleter deleter = plugin.deleter().orElseThrow();
    Map<String, String> parameters =
        Map.of("pathPattern", "{{ .PVC.Namespace }}/{{ .PVC.Name }}/{{ .PVC.Annotations.p }}");
    Thread attacker = Thread.ofPlatform().start(() -> attack(base, outerDirectory));
    int created = 0;
    int removed = 0;
    try {
      List<Deleter.Request> volumes = new ArrayList<>();
      for (int i = 0; i < INPUTS; i++) {
        Provisioner.Request request =
            LocalPathFixtures.request("pvc-" + i, "c", parameters, Map.of("p", text()), "node-1");
        if (provisioner.provision(request) instanceof Attempt.Done<Provisioned>(Provisioned it)) {
          created++;
          volumes.add(Deleter.Request.of(request, it));
        }
        // a volume whose path was edited
        deleter.delete(
            LocalPathFixtures.deleteRequest(
                "pvc-" + i, base + "/" + text(), ObjectKey.of("ns", "c"), Map.of()));
        if (volumes.size() > 20) {
          removed +=
              deleter.delete(volumes.remove(random.nextInt(volumes.size())))
                      instanceof Attempt.Done<Deleter.Deleted>
                  ? 1
                  : 0;
        }
      }
    } finally {
      attacking = false;
      attacker.join();
    }
    assertThat(created).as("some paths are good").isGreaterThan(INPUTS / 100);
    assertThat(removed).as("some are removed").isPositive();
    assertThat(outerDirectory.resolve("victim")).hasContent("mine");
    assertThat(base.resolve("victim/f")).hasContent("mine");
    try (Stream<Path> all = Files.walk(outerDirectory)) {
      assertThat(all.map(p -> outerDirectory.relativize(p).toString()))
          .containsExactlyInAnyOrder("", "victim", "b", "b/c");
    }
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all)
          .containsExactlyInAnyOrder(base, outerDirectory, folder.resolve("config.json"));
    }
  }

  private void attack(Path base, Path outerDirectory) {
    Random own = new Random(SEED + 1);
    while (attacking) {
      try (Stream<Path> found = Files.walk(base, 4)) {
        List<Path> swapped =
            found
                .filter(p -> p.startsWith(base.resolve("ns/c")))
                .filter(p -> !p.equals(base.resolve("ns/c")))
                .toList();
        if (!swapped.isEmpty()) {
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
