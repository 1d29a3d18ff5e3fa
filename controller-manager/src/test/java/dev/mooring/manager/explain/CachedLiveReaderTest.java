package dev.mooring.manager.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.FaultyCluster;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CachedLiveReaderTest {
  private final FaultyCluster server =
      new FaultyCluster()
          .onRead(request ->
              switch (request.verb()) {
                case GET_WHOLE -> new ReadResult.Found<>(Map.of("kind", request.kind().kind()));
                case LIST -> new ReadResult.Failed<>("forbidden");
                default -> null;
              });

  /** For every kind of answer, and with equal names in other kinds and namespaces. */
  @Test
  void read_sameQuestionRepeated_isSentOnce() throws InterruptedException {
    CachedLiveReader reads = new CachedLiveReader(server);
    for (int i = 0; i < 3; i++) {
      assertThat(reads.read(Kind.STORAGE_CLASS, ObjectKey.cluster("a")))
          .isInstanceOf(ReadResult.Absent.class);
      assertThat(reads.read(Kind.NODE, ObjectKey.cluster("a")))
          .isInstanceOf(ReadResult.Absent.class);
      assertThat(reads.readWhole(Kind.NODE, ObjectKey.cluster("a")))
          .isEqualTo(new ReadResult.Found<>(Map.of("kind", "Node")));
      assertThat(reads.list(Kind.POD, "ns")).isInstanceOf(ReadResult.Failed.class);
      assertThat(reads.list(Kind.POD, "other")).isInstanceOf(ReadResult.Failed.class);
    }
    assertThat(server.requests())
        .extracting(FaultyCluster.Request::toString)
        .containsExactly(
            "get StorageClass a",
            "get Node a",
            "get whole Node a",
            "list Pod ns/",
            "list Pod other/");
  }

  @Test
  void read_sameQuestionOfTwoThreads_hasOneAnswer() throws Exception {
    CyclicBarrier bothAsk = new CyclicBarrier(2);
    AtomicInteger answers = new AtomicInteger();
    CachedLiveReader reads =
        new CachedLiveReader(
            new FaultyCluster()
                .onRead(request -> {
                  await(bothAsk);
                  return new ReadResult.Found<>(Map.of("number", answers.incrementAndGet()));
                }));
    Callable<ReadResult<Map<String, Object>>> question =
        () -> reads.readWhole(Kind.NODE, ObjectKey.cluster("a"));
    try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
      Future<ReadResult<Map<String, Object>>> one = executor.submit(question);
      Future<ReadResult<Map<String, Object>>> other = executor.submit(question);
      assertThat(one.get()).isEqualTo(other.get()).isInstanceOf(ReadResult.Found.class);
    }
    assertThat(answers).hasValue(2);
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }
}
