package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.RecordingRequeue;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.operation.JobResult;
import dev.mooring.reconcile.Outcome;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttachDetachOperationsTest {
  private final SimTime time = new SimTime(this::recordStart);
  private final List<Runnable> startedJobs = new ArrayList<>();
  private final StateOfWorld state = new StateOfWorld();
  private final AttachDetachOperations operations =
      new AttachDetachOperations(
          time, new DetachLimiter(time, 8, 2), volume -> "ns", state, new RecordingRequeue());

  /** Collects started jobs; the test runs them. */
  private Thread recordStart(String name, Runnable job) {
    startedJobs.add(job);
    return new Thread(() -> {});
  }

  private void detach(String volume) {
    operations.detach(
        VolumeId.of("example.com/disk", volume), "n1", false, permit -> JobResult.DONE);
  }

  @Test
  void detach_idleDuringAttach_isDelayed() {
    operations.attach(VolumeId.of("example.com/disk", "v"), "n1", "basis", () -> JobResult.DONE);
    detach("a");
    detach("b");
    assertThat(startedJobs).as("the attach and one detach").hasSize(2);
    startedJobs.getLast().run();
    time.advance(Duration.ofMillis(25));
    assertThat(startedJobs).hasSize(3);
  }

  @Test
  void retain_forgottenPair_removesStateAndBackoff() {
    VolumeId volume = VolumeId.of("example.com/disk", "v");
    operations.attach(volume, "n1", "basis", () -> JobResult.unreachable("x"));
    operations.attach(volume, "n2", "basis", () -> JobResult.unreachable("x"));
    operations.detach(volume, "n1", false, permit -> JobResult.unreachable("x"));
    operations.retain(volume, Set.of("n1", "n2"));
    assertThat(state.attempts().trackedVolumes()).isEqualTo(1);
    operations.retain(volume, Set.of());
    assertThat(state.attempts().trackedVolumes())
        .as("tracked volumes while jobs still run")
        .isZero();
    startedJobs.forEach(Runnable::run);
    int startedBefore = startedJobs.size();
    operations.attach(volume, "n1", "basis", () -> JobResult.DONE);
    assertThat(startedJobs).as("without back-off").hasSize(startedBefore + 1);
  }

  private void runLast() {
    startedJobs.removeLast().run();
  }

  /** The next verification may be a minute away. */
  @Test
  void check_unanswered_isRetriedSoon() {
    Deque<JobResult> results = new ArrayDeque<>();
    JobResult unanswered = new JobResult.Unanswered("no answer");
    results.addAll(List.of(unanswered, unanswered, JobResult.DONE));
    operations.startCheck("who has it", results::removeFirst);
    runLast();
    for (int i = 0; i < 2; i++) {
      assertThat(startedJobs).as("backs off").isEmpty();
      time.advance(Outcome.UNANSWERED_LONGEST);
      runLast();
    }
    time.advance(Duration.ofHours(1));
    assertThat(startedJobs).isEmpty();
  }

  @Test
  void check_answered_isNotRetried() {
    operations.startCheck("who has it", () -> JobResult.DONE);
    runLast();
    time.advance(Duration.ofHours(1));
    assertThat(startedJobs).isEmpty();
  }

  @Test
  void detach_idleWithoutAttach_isNotDelayed() {
    detach("a");
    detach("b");
    assertThat(startedJobs).hasSize(2);
  }
}
