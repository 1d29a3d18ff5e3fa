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
 * Runs a trial with exactly the generated rights: the trial succeeds, the server forbids no
 * request, and the process uses every right. Then runs the trial without one right: the server
 * refuses exactly that right. {@code -Dmooring.rights.seed} chooses the right that a build removes;
 * {@code -Dmooring.rights.scenarios=all} removes each in turn.
 */
public final class MinimalRightsTests {
  private static final boolean EACH_RIGHT =
      System.getProperty("mooring.rights.scenarios", "few").equals("all");

  /**
   * An event is repeated only after ten seconds; only builds that remove each right wait so long.
   */
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
    if (!EACH_RIGHT) {
      Collections.shuffle(rights, new Random(Integer.getInteger("mooring.rights.seed", 1)));
      rights = rights.subList(0, 1);
    }
    return Stream.concat(
        Stream.of(dynamicTest("with every right", this::runWithAllRights)),
        rights.stream()
            .map(right ->
                dynamicTest("without the right to " + right, () -> runWithoutRight(right))));
  }

  private boolean repeatsEvents() {
    return EACH_RIGHT && trial.canRepeatEvents();
  }

  private Path createStageFolder() throws IOException {
    return Files.createTempDirectory(folder, "stage");
  }

  private void runWithAllRights() throws Exception {
    Path stageFolder = createStageFolder();
    RightsTrial.Stage stage = trial.stage(stageFolder);
    try {
      RestrictedServer server = stage.server();
      Path kubeconfig = server.kubeconfig(stageFolder, trial.rights());
      server.holdLeaseUntilWatched(trial.rights());
      Throwable trialError = runUntilRefusal(stage, kubeconfig, repeatsEvents());
      assertThat(server.forbiddenRequests())
          .as("refused; the trial ended with %s", trialError)
          .isEmpty();
      assertThat(trialError).as("the trial").isNull();
      Set<String> unused = server.grantedRights();
      unused.removeAll(server.usedRights());
      if (!repeatsEvents()) {
        unused.remove(REPEAT_EVENTS);
      }
      assertThat(unused).as("unused").isEmpty();
    } finally {
      stage.close();
    }
  }

  private void runWithoutRight(String right) throws Exception {
    Path stageFolder = createStageFolder();
    RightsTrial.Stage stage = trial.stage(stageFolder);
    try {
      RestrictedServer server = stage.server();
      Path kubeconfig = server.kubeconfig(stageFolder, trial.rights(), right);
      server.holdLeaseUntilWatched(trial.rights());
      assertThat(server.grantedRights()).as("remaining rights").isNotEmpty().doesNotContain(right);
      Throwable trialError = runUntilRefusal(stage, kubeconfig, right.equals(REPEAT_EVENTS));
      assertThat(server.forbiddenRights(right))
          .as("refused without the right to %s; the trial ended with %s", right, trialError)
          .containsExactly(right);
    } finally {
      stage.close();
    }
  }

  /**
   * Runs until the server refuses a request. Later steps would wait for changes that cannot happen.
   *
   * @return the error that interrupted the trial; null if it ended
   */
  private static @Nullable Throwable runUntilRefusal(
      RightsTrial.Stage stage, Path kubeconfig, boolean awaitRepeat) throws InterruptedException {
    AtomicReference<@Nullable Throwable> trialError = new AtomicReference<>();
    Thread trialThread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                stage.play(kubeconfig, awaitRepeat);
              } catch (Exception | AssertionError error) {
                trialError.set(error);
              }
            });
    try {
      TestWait.until(
          "end of the trial",
          () -> !trialThread.isAlive() || !stage.server().forbiddenRequests().isEmpty());
    } finally {
      trialThread.interrupt();
      trialThread.join();
    }
    return trialError.get();
  }
}
