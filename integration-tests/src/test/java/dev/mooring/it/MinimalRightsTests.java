package dev.mooring.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.testkit.TestWait;
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
 * Plays a trial with exactly the generated rights: it succeeds, no request is forbidden, and every
 * right is used. Then plays it without one right: exactly that right is refused. Each build removes
 * one right, chosen by {@code -Dmooring.rights.seed}; {@code -Dmooring.rights.scenarios=all}
 * removes each in turn.
 */
public final class MinimalRightsTests {
  private static final boolean ALL =
      System.getProperty("mooring.rights.scenarios", "few").equals("all");

  /** An event is repeated only after ten seconds, which not every build waits for. */
  private static final String REPEAT_EVENTS = "patch events.events.k8s.io";

  private final RightsTrial trial;
  private final Path folder;

  /** Plays the trial with files in the folder. */
  public MinimalRightsTests(RightsTrial trial, Path folder) {
    this.trial = trial;
    this.folder = folder;
  }

  public Stream<DynamicTest> tests() throws Exception {
    List<String> rights = new ArrayList<>(RestrictedServer.lines(trial.rights()));
    if (!repeatsEvents()) {
      rights.remove(REPEAT_EVENTS);
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

  private boolean repeatsEvents() {
    return ALL && trial.canRepeatEvents();
  }

  private Path newFolder() throws IOException {
    return Files.createTempDirectory(folder, "stage");
  }

  private void withAll() throws Exception {
    Path newFolder = newFolder();
    RightsTrial.Stage stage = trial.stage(newFolder);
    try {
      RestrictedServer granted = stage.granted();
      Throwable end =
          playUntilRefusal(stage, granted.kubeconfig(newFolder, trial.rights()), repeatsEvents());
      assertThat(granted.refused()).as("refused; the play ended with %s", end).isEmpty();
      assertThat(end).as("the play").isNull();
      Set<String> unused = granted.granted();
      unused.removeAll(granted.used());
      if (!repeatsEvents()) {
        unused.remove(REPEAT_EVENTS);
      }
      assertThat(unused).as("unused").isEmpty();
    } finally {
      stage.close();
    }
  }

  private void without(String right) throws Exception {
    Path newFolder = newFolder();
    RightsTrial.Stage stage = trial.stage(newFolder);
    try {
      RestrictedServer granted = stage.granted();
      Path kubeconfig = granted.kubeconfig(newFolder, trial.rights(), right);
      assertThat(granted.granted()).as("remaining rights").isNotEmpty().doesNotContain(right);
      Throwable end = playUntilRefusal(stage, kubeconfig, right.equals(REPEAT_EVENTS));
      assertThat(granted.refused(right))
          .as("refused without the right to %s; the play ended with %s", right, end)
          .containsExactly(right);
    } finally {
      stage.close();
    }
  }

  /**
   * Plays until the first refusal: later steps would wait for events that cannot occur.
   *
   * @return the error that interrupted the play, null if it ended
   */
  private static @Nullable Throwable playUntilRefusal(
      RightsTrial.Stage stage, Path kubeconfig, boolean awaitRepeat) throws InterruptedException {
    AtomicReference<@Nullable Throwable> end = new AtomicReference<>();
    Thread play =
        Thread.ofVirtual()
            .start(() -> {
              try {
                stage.play(kubeconfig, awaitRepeat);
              } catch (Exception | AssertionError brokenOff) {
                end.set(brokenOff);
              }
            });
    try {
      TestWait.until(
          "end of the play", () -> !play.isAlive() || !stage.granted().refused().isEmpty());
    } finally {
      play.interrupt();
      play.join();
    }
    return end.get();
  }
}
