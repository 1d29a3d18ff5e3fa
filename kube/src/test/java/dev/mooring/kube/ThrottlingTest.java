package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.kube.RecordingServer.RecordedRequest;
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

/** A 429 of an overloaded server delays all writes; other refusals delay one object. */
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

  private static Answer claim(RecordedRequest request) {
    String[] segments = request.uri().split("[/?]");
    return Answer.json(
        200,
        "{\"metadata\": {\"namespace\": \"%s\", \"name\": \"%s\"}}"
            .formatted(segments[4], segments[6]));
  }

  private static Answer withHeaders(Map<String, String> extraHeaders, Answer answer) {
    Map<String, String> headers = new java.util.HashMap<>(answer.headers());
    headers.putAll(extraHeaders);
    return new Answer(answer.code(), headers, answer.body());
  }

  // The API server adds its flow headers to a webhook's answer.
  private static Answer webhookRefusal(int code) {
    return withHeaders(
        FLOW,
        withHeaders(
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

  // Refusal of the priority and fairness filter.
  private static Answer serverRefusal(String seconds) {
    return withHeaders(
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

  private void assertDelaysObjectOnly(Function<RecordedRequest, Answer> refusal) throws Exception {
    try (RecordingServer server =
        new RecordingServer(request ->
            request.uri().contains("throttled") ? refusal.apply(request) : claim(request))) {
      KubeCluster cluster = cluster(server);
      assertThat(patch(cluster, THROTTLED)).isInstanceOf(WriteResult.Unreachable.class);
      assertThat(patch(cluster, OTHER)).isInstanceOf(WriteResult.Written.class);
      assertThat(time.sleeps()).as("other writes do not wait").isEmpty();
      assertThat(patch(cluster, THROTTLED)).isInstanceOf(WriteResult.Unreachable.class);
      assertThat(server.requests()).as("no request during the delay").hasSize(2);
      time.advance(Duration.ofSeconds(32));
      patch(cluster, THROTTLED);
      assertThat(server.requests()).as("the delay is bounded").hasSize(3);
    }
  }

  @Test
  void write_webhookAnswers429_delaysOnlyItsObject() throws Exception {
    assertDelaysObjectOnly(request -> webhookRefusal(429));
  }

  @Test
  void write_status503WithDelay_delaysOnlyItsObject() throws Exception {
    assertDelaysObjectOnly(request -> webhookRefusal(503));
  }

  @Test
  void write_proxyAnswers429_delaysOnlyItsObject() throws Exception {
    assertDelaysObjectOnly(request ->
        new Answer(
            429,
            Map.of("Content-Type", "text/html", "Retry-After", "86400"),
            "<html>slow down</html>"));
  }

  @Test
  void write_serverAnswers429_delaysAllWrites() throws Exception {
    AtomicInteger refusals = new AtomicInteger(2);
    try (RecordingServer server =
        new RecordingServer(
            request -> refusals.getAndDecrement() > 0 ? serverRefusal("3") : claim(request))) {
      KubeCluster cluster = cluster(server);
      assertThat(patch(cluster, OTHER)).isInstanceOf(WriteResult.Written.class);
      assertThat(time.sleeps()).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(3));
    }
  }

  @Test
  void server429_hugeDelay_isBounded() throws Exception {
    AtomicInteger refusals = new AtomicInteger(1);
    try (RecordingServer server =
        new RecordingServer(request ->
            refusals.getAndDecrement() > 0 ? serverRefusal("999999999") : claim(request))) {
      assertThat(patch(cluster(server), OTHER)).isInstanceOf(WriteResult.Written.class);
      assertThat(time.sleeps()).containsExactly(Duration.ofSeconds(32));
    }
  }

  @Test
  void election_server429_doesNotDelayNextWrite() throws Exception {
    AtomicInteger refusals = new AtomicInteger(1);
    try (RecordingServer server =
        new RecordingServer(
            request -> refusals.getAndDecrement() > 0 ? serverRefusal("30") : claim(request))) {
      KubeCluster cluster =
          KubeCluster.impatient(server.connect(folder), () -> Duration.ofSeconds(5), time);
      patch(cluster, OTHER);
      assertThat(patch(cluster, OTHER)).isInstanceOf(WriteResult.Written.class);
      assertThat(time.sleeps()).isEmpty();
    }
  }

  @Test
  void election_server429_doesNotWait() throws Exception {
    try (RecordingServer server = new RecordingServer(request -> serverRefusal("30"))) {
      KubeCluster cluster =
          KubeCluster.impatient(server.connect(folder), () -> Duration.ofSeconds(5), time);
      assertThat(patch(cluster, OTHER)).isInstanceOf(WriteResult.Unreachable.class);
      assertThat(time.sleeps()).isEmpty();
    }
  }
}
