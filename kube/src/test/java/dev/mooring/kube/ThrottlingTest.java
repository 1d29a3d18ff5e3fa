package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.kube.RecordingServer.Asked;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.SimTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only a server that has too much to do slows everybody down. */
class ThrottlingTest {
  private static final Map<String, String> FLOW =
      Map.of(
          "X-Kubernetes-PF-FlowSchema-UID",
          "f0000000-0000-0000-0000-000000000000",
          "X-Kubernetes-PF-PriorityLevel-UID",
          "10000000-0000-0000-0000-000000000000");
  private static final ObjectKey THROTTLED = ObjectKey.of("a", "throttled");
  private static final ObjectKey OTHER = ObjectKey.of("b", "other");

  private final SimTime time = new SimTime(true);
  @TempDir private Path folder;

  private static Answer claim(Asked asked) {
    String[] segments = asked.uri().split("[/?]");
    return Answer.json(
        200,
        "{\"metadata\": {\"namespace\": \"%s\", \"name\": \"%s\"}}"
            .formatted(segments[4], segments[6]));
  }

  private static Answer with(Map<String, String> more, Answer answer) {
    Map<String, String> headers = new java.util.HashMap<>(answer.headers());
    headers.putAll(more);
    return new Answer(answer.code(), headers, answer.body());
  }

  /** As the API server writes what a webhook answers: the headers of its flow are there too. */
  private static Answer ofWebhook(int code) {
    return with(
        FLOW,
        with(
            Map.of("Retry-After", "9999"),
            Answer.json(
                code,
                """
                {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": %d,
                 "reason": "TooManyRequests", "message": "admission webhook \\"quota.example.com\\" denied the request",
                 "details": {"retryAfterSeconds": 9999}}
                """
                    .formatted(code))));
  }

  /** As the filter of priority and fairness refuses what it does not let in. */
  private static Answer ofTheServer(String seconds) {
    return with(
        FLOW,
        new Answer(
            429,
            Map.of("Content-Type", "text/plain; charset=utf-8", "Retry-After", seconds),
            "Too many requests, please try again later.\n"));
  }

  private KubeCluster cluster(RecordingServer server) throws Exception {
    return KubeCluster.alone(server.connect(folder), time);
  }

  private static WriteResult<Claim> patch(KubeCluster cluster, ObjectKey key) throws Exception {
    return cluster.patch(Kind.CLAIM, key, Document.empty());
  }

  private void concernsTheObjectOnly(Function<Asked, Answer> refusal) throws Exception {
    try (RecordingServer server =
        new RecordingServer(
            asked -> asked.uri().contains("throttled") ? refusal.apply(asked) : claim(asked))) {
      KubeCluster cluster = cluster(server);
      assertThat(patch(cluster, THROTTLED)).isInstanceOf(WriteResult.Unreachable.class);
      assertThat(patch(cluster, OTHER)).isInstanceOf(WriteResult.Written.class);
      assertThat(time.slept()).as("nobody waits").isEmpty();
      assertThat(patch(cluster, THROTTLED)).isInstanceOf(WriteResult.Unreachable.class);
      assertThat(server.asked()).as("and the object is left alone meanwhile").hasSize(2);
      time.advance(Duration.ofSeconds(32));
      patch(cluster, THROTTLED);
      assertThat(server.asked()).as("for a bounded time").hasSize(3);
    }
  }

  @Test
  void aWebhooks429ConcernsItsObject() throws Exception {
    concernsTheObjectOnly(asked -> ofWebhook(429));
  }

  @Test
  void a503ThatAsksForPatienceConcernsItsObject() throws Exception {
    concernsTheObjectOnly(asked -> ofWebhook(503));
  }

  @Test
  void a429OfSomethingInBetweenConcernsItsObject() throws Exception {
    concernsTheObjectOnly(asked ->
        new Answer(
            429,
            Map.of("Content-Type", "text/html", "Retry-After", "86400"),
            "<html>slow down</html>"));
  }

  @Test
  void theServersOwn429SlowsEverybody() throws Exception {
    AtomicInteger refusals = new AtomicInteger(2);
    try (RecordingServer server =
        new RecordingServer(
            asked -> refusals.getAndDecrement() > 0 ? ofTheServer("3") : claim(asked))) {
      KubeCluster cluster = cluster(server);
      assertThat(patch(cluster, OTHER)).isInstanceOf(WriteResult.Written.class);
      assertThat(time.slept()).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(3));
    }
  }

  @Test
  void itsPatienceIsBounded() throws Exception {
    AtomicInteger refusals = new AtomicInteger(1);
    try (RecordingServer server =
        new RecordingServer(
            asked -> refusals.getAndDecrement() > 0 ? ofTheServer("999999999") : claim(asked))) {
      assertThat(patch(cluster(server), OTHER)).isInstanceOf(WriteResult.Written.class);
      assertThat(time.slept()).containsExactly(Duration.ofSeconds(32));
    }
  }

  @Test
  void anElectionIsNeverKeptWaiting() throws Exception {
    try (RecordingServer server = new RecordingServer(asked -> ofTheServer("30"))) {
      KubeCluster cluster =
          KubeCluster.impatient(server.connect(folder), () -> Duration.ofSeconds(5), time);
      assertThat(patch(cluster, OTHER)).isInstanceOf(WriteResult.Unreachable.class);
      assertThat(time.slept()).isEmpty();
    }
  }
}
