package dev.mooring.protection.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.protection.Given;
import dev.mooring.protection.decide.EphemeralDecision;
import dev.mooring.reconcile.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes of a claim that could not be made. */
class EphemeralExecutorTest {
  private static final Pod POD = Given.ephemeral(false, false, Pod.Phase.PENDING, "data");

  /** Has the pod, and answers creations as it is told. */
  private static final class Server implements ClusterWriter, LiveReader {
    private WriteResult<?> onCreate = new WriteResult.Unreachable<>("no answer");

    @Override
    @SuppressWarnings("unchecked") // the test answers with the kind that it is asked for
    public <T extends Resource> WriteResult<T> create(
        Kind<T> kind, ObjectKey key, Document object) {
      return (WriteResult<T>) onCreate;
    }

    @Override
    public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
      return new ReadResult.Found<>(
          Map.of(
              "metadata",
              Map.of("uid", POD.meta().uid().toString()),
              "spec",
              Map.of(
                  "volumes",
                  List.of(
                      Map.of(
                          "name",
                          "data",
                          "ephemeral",
                          Map.of("volumeClaimTemplate", Map.of("spec", Map.of("a", "b"))))))));
    }

    @Override
    public <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch) {
      throw new AssertionError();
    }

    @Override
    public <T extends Resource> WriteResult<T> patchStatus(
        Kind<T> kind, ObjectKey key, Document patch) {
      throw new AssertionError();
    }

    @Override
    public <T extends Resource> WriteResult<T> delete(Kind<T> kind, ObjectKey key, Uid uid) {
      throw new AssertionError();
    }

    @Override
    public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
      throw new AssertionError();
    }

    @Override
    public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
      throw new AssertionError();
    }
  }

  private final Server server = new Server();
  private final List<ClusterEvent> events = new ArrayList<>();
  private final EphemeralExecutor executor = new EphemeralExecutor(server, server, events::add);

  private Outcome make() throws InterruptedException {
    return executor.execute(POD, new EphemeralDecision.Make("data", ObjectKey.of("ns", "p-data")));
  }

  @Test
  void whatTheServerDidNotAnswerIsTriedAgainSoonAndToldOnce() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      assertThat(make()).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(events).hasSize(1);
  }

  static List<WriteResult<?>> answers() {
    return List.of(
        new WriteResult.Rejected<>(403, "quota"),
        new WriteResult.Conflict<>("there is one"),
        new WriteResult.Gone<>());
  }

  @ParameterizedTest
  @MethodSource("answers")
  void whatItAnsweredIsThePods(WriteResult<?> answer) throws InterruptedException {
    server.onCreate = answer;
    assertThat(make()).isInstanceOf(Outcome.Retry.class);
  }
}
