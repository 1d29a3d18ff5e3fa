package dev.mooring.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Volume;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.VolumeService.Order;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.decide.VolumeOrigin;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VolumeSaverTest {
  private static final WriteResult<Volume> WRITTEN =
      new WriteResult.Written<>(ProvisionedClaim.volume("c", "u"));
  private static final WriteResult<Volume> CONFLICT = new WriteResult.Conflict<>("exists");
  private static final WriteResult<Volume> NO_ANSWER = new WriteResult.Unreachable<>("no answer");
  private static final WriteResult<Volume> NO_SUCH_KIND = new WriteResult.Gone<>();
  private static final WriteResult<Volume> REFUSED = new WriteResult.Rejected<>(403, "a quota");
  private static final ReadResult<Volume> EXISTS =
      new ReadResult.Found<>(ProvisionedClaim.volume("c", "u"));
  private static final ReadResult<Volume> NAME_TAKEN =
      new ReadResult.Found<>(ProvisionedClaim.volume("d", "u"));
  private static final ReadResult<Volume> ABSENT = new ReadResult.Absent<>();
  private static final ReadResult<Volume> READ_FAILED = new ReadResult.Failed<>("away");
  private static final DestroyResult GONE = new DestroyResult.Destroyed();
  private static final DestroyResult STUCK = new DestroyResult.Failed("stuck");

  private final SimTime time = new SimTime(true);

  private final List<String> log = new ArrayList<>();

  private final Deque<WriteResult<Volume>> answers = new ArrayDeque<>();
  private final Deque<ReadResult<Volume>> reads = new ArrayDeque<>();
  private final Deque<DestroyResult> rollbacks = new ArrayDeque<>();

  private final class LoggingListener implements VolumeSaver.Listener {
    @Override
    public void creationFailed(WriteResult<Volume> last) {
      log.add("unsaved");
    }

    @Override
    public void rollbackFailed(DestroyResult result) {
      log.add("left behind: " + result);
    }
  }

  private final Document object = Document.empty();

  private SaveResult save(SavePolicy policy) throws InterruptedException {
    FaultyCluster server =
        new FaultyCluster()
            .onWrite(request -> {
              log.add(request.verb() + " " + request.key().name());
              return answers.remove();
            })
            .onRead(request -> {
              log.add("read " + request.key().name());
              return reads.remove();
            });
    ClusterPorts ports = TestPorts.of(server, event -> {}, time);
    SaveResult result =
        new VolumeSaver(ports, policy)
            .save(
                new Order("pvc-u", ProvisionedClaim.CLAIM, ProvisionedClaim.FAST, null),
                new ProvisionResult.Created(
                    object,
                    () -> {
                      log.add("roll back");
                      return rollbacks.remove();
                    }),
                new LoggingListener());
    assertThat(answers).isEmpty();
    assertThat(reads).isEmpty();
    assertThat(rollbacks).isEmpty();
    return result;
  }

  private static Stream<SavePolicy> policies() {
    return Stream.of(SavePolicy.FEW_ATTEMPTS, SavePolicy.UNTIL_REFUSED);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void save_written_isSaved(SavePolicy policy) throws InterruptedException {
    answers.add(WRITTEN);
    assertThat(save(policy)).isEqualTo(new SaveResult.Saved());
    assertThat(log).containsExactly("create pvc-u");
  }

  @ParameterizedTest
  @MethodSource("policies")
  void conflict_withOwnVolume_isSaved(SavePolicy policy) throws InterruptedException {
    answers.add(CONFLICT);
    reads.add(EXISTS);
    assertThat(save(policy)).isEqualTo(new SaveResult.Saved());
    assertThat(time.sleeps()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("policies")
  void conflict_withAnotherClaimsVolume_keepsStorage(SavePolicy policy)
      throws InterruptedException {
    answers.add(CONFLICT);
    reads.add(NAME_TAKEN);
    assertThat(save(policy)).isInstanceOf(SaveResult.NameTaken.class);
    assertThat(log).doesNotContain("roll back");
  }

  @Test
  void save_policyWithTime_recordsLastAttempt() throws InterruptedException {
    answers.addAll(List.of(CONFLICT, WRITTEN));
    reads.add(ABSENT);
    save(SavePolicy.FEW_ATTEMPTS);
    assertThat(object.toString())
        .contains(VolumeOrigin.MADE_AT + "=" + VolumeOrigin.formatCreationTime(time.now()));
  }

  @Test
  void save_kubernetesPolicy_addsNothing() throws InterruptedException {
    answers.add(WRITTEN);
    save(SavePolicy.KUBERNETES);
    assertThat(object).hasToString("{}");
  }

  // A conflict alone does not prove that the volume is saved.
  @ParameterizedTest
  @MethodSource("policies")
  void conflict_volumeNotConfirmed_isRetried(SavePolicy policy) throws InterruptedException {
    for (ReadResult<Volume> read : List.of(ABSENT, READ_FAILED)) {
      answers.addAll(List.of(CONFLICT, WRITTEN));
      reads.add(read);
      assertThat(save(policy)).isEqualTo(new SaveResult.Saved());
    }
    assertThat(time.sleeps())
        .containsExactly(policy.backoff().firstDelay(), policy.backoff().firstDelay());
  }

  @ParameterizedTest
  @MethodSource("policies")
  void save_noResponse_isRetried(SavePolicy policy) throws InterruptedException {
    answers.addAll(List.of(NO_ANSWER, NO_SUCH_KIND, WRITTEN));
    assertThat(save(policy)).isEqualTo(new SaveResult.Saved());
    assertThat(time.sleeps()).hasSize(2);
  }

  @Test
  void save_attemptsExhausted_returnsLastResult() throws InterruptedException {
    for (WriteResult<Volume> last : List.of(NO_ANSWER, NO_SUCH_KIND, REFUSED)) {
      answers.addAll(Collections.nCopies(4, NO_ANSWER));
      answers.add(last);
      reads.add(READ_FAILED);
      assertThat(save(SavePolicy.FEW_ATTEMPTS)).isEqualTo(new SaveResult.Unknown(last, "away"));
    }
    assertThat(time.sleeps()).hasSize(3 * 5).allMatch(Duration.ofSeconds(10)::equals);
    answers.addAll(Collections.nCopies(5, CONFLICT));
    reads.addAll(Collections.nCopies(5, ABSENT));
    reads.add(EXISTS);
    assertThat(save(SavePolicy.FEW_ATTEMPTS)).isEqualTo(new SaveResult.Found(CONFLICT));
  }

  @Test
  void save_rejectedWithAttemptsLeft_isRetried() throws InterruptedException {
    answers.addAll(List.of(REFUSED, WRITTEN));
    assertThat(save(SavePolicy.FEW_ATTEMPTS)).isEqualTo(new SaveResult.Saved());
  }

  @Test
  void save_untilRefused_retriesWithoutLimit() throws InterruptedException {
    answers.addAll(Collections.nCopies(100, NO_ANSWER));
    answers.add(WRITTEN);
    assertThat(save(SavePolicy.UNTIL_REFUSED)).isEqualTo(new SaveResult.Saved());
    assertThat(time.sleeps().subList(0, 6).stream().map(Duration::toSeconds))
        .containsExactly(1L, 2L, 4L, 8L, 15L, 15L);
    assertThat(time.sleeps()).hasSize(100).last().isEqualTo(Duration.ofSeconds(15));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void rejected_volumeMayBeSaved_keepsStorage(SavePolicy policy) throws InterruptedException {
    rejectAll(policy);
    reads.add(EXISTS);
    assertThat(save(policy)).isEqualTo(new SaveResult.Found(REFUSED));
    rejectAll(policy);
    reads.add(NAME_TAKEN);
    assertThat(save(policy)).isInstanceOf(SaveResult.NameTaken.class);
    rejectAll(policy);
    reads.add(READ_FAILED);
    assertThat(save(policy)).isEqualTo(new SaveResult.Unknown(REFUSED, "away"));
    assertThat(log).doesNotContain("unsaved", "roll back");
  }

  private void rejectAll(SavePolicy policy) {
    int attempts = policy.refusal() == SavePolicy.Refusal.FINAL ? 1 : policy.attempts();
    answers.addAll(Collections.nCopies(attempts, REFUSED));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void rejected_volumeAbsent_notifiesAndRollsBack(SavePolicy policy) throws InterruptedException {
    rejectAll(policy);
    reads.add(ABSENT);
    rollbacks.add(GONE);
    assertThat(save(policy)).isEqualTo(new SaveResult.Unsaved(REFUSED));
    assertThat(log).endsWith("read pvc-u", "unsaved", "roll back");
  }

  @ParameterizedTest
  @MethodSource("policies")
  void rollback_fails_isRetriedAFewTimes(SavePolicy policy) throws InterruptedException {
    rejectAll(policy);
    reads.addAll(Collections.nCopies(5, ABSENT));
    rollbacks.addAll(Collections.nCopies(5, STUCK));
    assertThat(save(policy)).isEqualTo(new SaveResult.Unsaved(REFUSED));
    assertThat(log).filteredOn("roll back"::equals).hasSize(5);
    assertThat(log).last().isEqualTo("left behind: " + STUCK);
  }

  // A write whose response was lost may reach the server between two rollbacks.
  @ParameterizedTest
  @MethodSource("policies")
  void rollback_beforeEachRetry_readsVolume(SavePolicy policy) throws InterruptedException {
    rejectAll(policy);
    reads.addAll(List.of(ABSENT, ABSENT));
    rollbacks.addAll(List.of(STUCK, GONE));
    assertThat(save(policy)).isEqualTo(new SaveResult.Unsaved(REFUSED));
    assertThat(log).endsWith("roll back", "read pvc-u", "roll back");
    for (ReadResult<Volume> read : List.of(EXISTS, READ_FAILED)) {
      rejectAll(policy);
      reads.addAll(List.of(ABSENT, read));
      rollbacks.add(STUCK);
      assertThat(save(policy)).isEqualTo(new SaveResult.Unsaved(REFUSED));
      assertThat(log).last().asString().contains("the volume may have been saved meanwhile");
    }
  }
}
