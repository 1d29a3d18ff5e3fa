package dev.mooring.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.testkit.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;

/**
 * Plays a trial with all rights that are generated: it ends well, nothing is refused and none is
 * unused. Then once for each right without it: that very right is refused. One of them in every
 * build, by {@code -Dmooring.rights.seed}; all with {@code -Dmooring.rights.scenarios=all}.
 */
public final class RightByRight {
  private static final boolean ALL =
      System.getProperty("mooring.rights.scenarios", "few").equals("all");

  /** Told again is what was told ten seconds ago, which not every build waits for. */
  private static final String AGAIN = "patch events.events.k8s.io";

  private final RightTrial trial;
  private final Path folder;

  /** Of that trial; what it needs goes into the folder. */
  public RightByRight(RightTrial trial, Path folder) {
    this.trial = trial;
    this.folder = folder;
  }

  /** The tests. */
  public Stream<DynamicTest> tests() throws Exception {
    List<String> rights = new ArrayList<>(Granted.lines(trial.rights()));
    if (!again()) {
      rights.remove(AGAIN);
    }
    if (!ALL) {
      Collections.shuffle(rights, new Random(Integer.getInteger("mooring.rights.seed", 1)));
      rights = rights.subList(0, 1);
    }
    return Stream.concat(
        Stream.of(dynamicTest("with every right", this::withAll)),
        rights.stream()
            .map(right -> dynamicTest("without the right to " + right, () -> without(right))));
  }

  private boolean again() {
    return ALL && trial.tellsAgain();
  }

  private Path place() throws IOException {
    return Files.createTempDirectory(folder, "stage");
  }

  private void withAll() throws Exception {
    Path place = place();
    RightTrial.Stage stage = trial.stage(place);
    try {
      Granted granted = stage.granted();
      Throwable end = played(stage, granted.kubeconfig(place, trial.rights()), again());
      assertThat(granted.refused()).as("refused; the play ended with %s", end).isEmpty();
      assertThat(end).as("the play").isNull();
      Set<String> unused = granted.granted();
      unused.removeAll(granted.used());
      if (!again()) {
        unused.remove(AGAIN);
      }
      assertThat(unused).as("unused").isEmpty();
    } finally {
      stage.close();
    }
  }

  private void without(String right) throws Exception {
    Path place = place();
    RightTrial.Stage stage = trial.stage(place);
    try {
      Granted granted = stage.granted();
      Path kubeconfig = granted.kubeconfig(place, trial.rights(), right);
      assertThat(granted.granted()).as("what is left").isNotEmpty().doesNotContain(right);
      Throwable end = played(stage, kubeconfig, right.equals(AGAIN));
      assertThat(granted.refused(right))
          .as("refused without the right to %s; the play ended with %s", right, end)
          .containsExactly(right);
    } finally {
      stage.close();
    }
  }

  /**
   * Plays until the first refusal: what comes after it would only wait for what is not to be.
   *
   * @return what has broken it off, null if it came to its end
   */
  private static @Nullable Throwable played(RightTrial.Stage stage, Path kubeconfig, boolean told)
      throws InterruptedException {
    AtomicReference<@Nullable Throwable> end = new AtomicReference<>();
    Thread play =
        Thread.ofVirtual()
            .start(() -> {
              try {
                stage.play(kubeconfig, told);
              } catch (Exception | AssertionError brokenOff) {
                end.set(brokenOff);
              }
            });
    try {
      Patience.until(
          "an end of the play", () -> !play.isAlive() || !stage.granted().refused().isEmpty());
    } finally {
      play.interrupt();
      play.join();
    }
    return end.get();
  }
}
