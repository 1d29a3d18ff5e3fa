package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.testkit.HostileText;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A name becomes exactly one path segment, or no request is sent. */
class HostileNamesTest {
  private static final String VICTIM =
      """
      {"kind": "PersistentVolumeClaim", "apiVersion": "v1", "metadata": {"name": "db",
       "namespace": "victim", "uid": "11111111-1111-1111-1111-111111111111", "resourceVersion": "7"}}
      """;
  private static final Uid UID = Uid.of("11111111-1111-1111-1111-111111111111");

  private final Time time = new SystemTime();
  @TempDir private Path folder;

  static List<String> hostile() {
    return List.of(
        "../../victim/persistentvolumeclaims/db",
        "../pods",
        "..",
        ".",
        "",
        "db/status",
        "db?watch=true",
        "db#fragment",
        "%2e%2e",
        "%2e%2e%2fpods",
        "..\\pods",
        "db\r\nHost: elsewhere",
        "db\tx",
        "db x",
        "\u0000",
        "d\u00fcb",
        "\u202edb",
        "\ud800",
        "x".repeat(254));
  }

  private KubeCluster cluster(RecordingServer server) throws Exception {
    return KubeCluster.alone(server.connect(folder), time);
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void request_hostileName_isNotSent(String name) throws Exception {
    try (RecordingServer server = new RecordingServer(request -> Answer.json(200, VICTIM))) {
      KubeCluster cluster = cluster(server);
      for (ObjectKey key : List.of(ObjectKey.of("evil", name), ObjectKey.of(name, "db"))) {
        assertThat(cluster.read(Kind.CLAIM, key)).isInstanceOf(ReadResult.Failed.class);
        assertThat(cluster.readWhole(Kind.SECRET, key)).isInstanceOf(ReadResult.Failed.class);
        assertThat(cluster.patch(Kind.CLAIM, key, Document.empty())).satisfies(this::isRejected);
        assertThat(cluster.patchStatus(Kind.CLAIM, key, Document.empty()))
            .satisfies(this::isRejected);
        assertThat(cluster.create(Kind.CLAIM, key, Document.empty())).satisfies(this::isRejected);
        assertThat(cluster.delete(Kind.CLAIM, key, UID)).satisfies(this::isRejected);
      }
      assertThat(cluster.read(Kind.NODE, ObjectKey.cluster(name)))
          .isInstanceOf(ReadResult.Failed.class);
      assertThat(cluster.list(Kind.POD, name)).isInstanceOf(ReadResult.Failed.class);
      assertThat(new KubeEvents(cluster).readEvents(ObjectKey.of(name, "db"), UID))
          .isInstanceOf(ReadResult.Failed.class);
      assertThat(server.requests()).isEmpty();
    }
  }

  private void isRejected(WriteResult<?> result) {
    assertThat(result)
        .isInstanceOfSatisfying(
            WriteResult.Rejected.class,
            rejected -> {
              assertThat(rejected.message()).contains("nothing was sent");
              assertThat(rejected.message()).matches("[ -~]*");
              assertThat(rejected.message().length()).isLessThan(300);
            });
  }

  @Test
  void read_validName_isSentUnescaped() throws Exception {
    try (RecordingServer server = new RecordingServer(request -> Answer.json(200, VICTIM))) {
      KubeCluster cluster = cluster(server);
      assertThat(cluster.read(Kind.CLAIM, ObjectKey.of("victim", "db")))
          .isInstanceOf(ReadResult.Found.class);
      cluster.read(Kind.NODE, ObjectKey.cluster("ip-10.0.0.1_a:b@c!$&'()*+,;=~"));
      assertThat(server.requests().stream().map(RecordingServer.RecordedRequest::uri))
          .containsExactly(
              "/api/v1/namespaces/victim/persistentvolumeclaims/db",
              "/api/v1/nodes/ip-10.0.0.1_a:b@c!$&'()*+,;=~");
    }
  }

  @Test
  void response_aboutOtherObject_fails() throws Exception {
    try (RecordingServer server = new RecordingServer(request -> Answer.json(200, VICTIM))) {
      KubeCluster cluster = cluster(server);
      ObjectKey requestedKey = ObjectKey.of("evil", "db");
      assertThat(cluster.read(Kind.CLAIM, requestedKey)).isInstanceOf(ReadResult.Failed.class);
      assertThat(cluster.readWhole(Kind.CLAIM, requestedKey)).isInstanceOf(ReadResult.Failed.class);
      assertThat(cluster.patch(Kind.CLAIM, requestedKey, Document.empty()))
          .isInstanceOf(WriteResult.Unreachable.class);
      assertThat(cluster.create(Kind.CLAIM, requestedKey, Document.empty()))
          .isInstanceOf(WriteResult.Unreachable.class);
      assertThat(cluster.delete(Kind.CLAIM, requestedKey, UID))
          .isInstanceOf(WriteResult.Unreachable.class);
    }
  }

  @Test
  void list_responseOfOtherNamespace_fails() throws Exception {
    String list = "{\"metadata\": {\"resourceVersion\": \"7\"}, \"items\": [" + VICTIM + "]}";
    try (RecordingServer server = new RecordingServer(request -> Answer.json(200, list))) {
      KubeCluster cluster = cluster(server);
      assertThat(cluster.list(Kind.CLAIM, "evil")).isInstanceOf(ReadResult.Failed.class);
      assertThat(cluster.list(Kind.CLAIM, "victim")).isInstanceOf(ReadResult.Found.class);
    }
  }

  @Test
  void query_hostileValue_isEscaped() throws Exception {
    try (RecordingServer server =
        new RecordingServer(request -> Answer.json(200, "{\"items\": []}"))) {
      KubeCluster cluster = cluster(server);
      cluster.readMembers(
          () -> ApiPath.ofKind(Kind.POD),
          Map.of("fieldSelector", "a=b&watch=true#/?%2f\r\n \u00fc+"));
      assertThat(server.requests().getFirst().uri())
          .startsWith("/api/v1/pods?fieldSelector=")
          .doesNotContain("&", "#", "\r", "\n", " ");
    }
  }

  @Test
  void delete_statusResponse_isGone() throws Exception {
    String status =
        "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"metadata\": {}, \"status\": \"Success\"}";
    try (RecordingServer server = new RecordingServer(request -> Answer.json(200, status))) {
      assertThat(
              cluster(server).delete(Kind.STORAGE_CAPACITY, ObjectKey.of("kube-system", "c"), UID))
          .isInstanceOf(WriteResult.Gone.class);
    }
  }

  // The profile storm runs it with 1,000,000 names.
  @Test
  void request_randomName_isOneSegmentOrNotSent() throws Exception {
    int values = Integer.getInteger("mooring.hostile.values", 10_000);
    HostileText text = new HostileText(16);
    int names = 0;
    try (RecordingServer server = new RecordingServer(request -> Answer.json(404, "{}"))) {
      KubeCluster cluster = cluster(server);
      for (int i = 0; i < values; i++) {
        String value = text.nextText();
        boolean isName = value.matches("[A-Za-z0-9._~!$&'()*+,;=:@-]{1,253}") && !isStep(value);
        names += isName ? 1 : 0;
        sendRequests(cluster, value);
        assertThat(
                server.takeRequests().stream()
                    .map(request -> request.method() + " " + request.uri().replaceAll("[?].*", "")))
            .as(value)
            .containsExactlyElementsOf(isName ? paths(value) : List.of());
      }
    }
    assertThat(names).as("number of valid names").isBetween(values / 100, values / 5);
  }

  private static boolean isStep(String value) {
    return value.equals(".") || value.equals("..");
  }

  private static void sendRequests(KubeCluster cluster, String value) throws InterruptedException {
    ObjectKey nameKey = ObjectKey.of("evil", value);
    ObjectKey namespaceKey = ObjectKey.of(value, "db");
    cluster.read(Kind.NODE, ObjectKey.cluster(value));
    cluster.readWhole(Kind.SECRET, nameKey);
    cluster.patch(Kind.CLAIM, namespaceKey, Document.empty());
    cluster.patchStatus(Kind.CLAIM, nameKey, Document.empty());
    cluster.create(Kind.CLAIM, nameKey, Document.empty());
    cluster.delete(Kind.CLAIM, nameKey, UID);
    cluster.list(Kind.POD, value);
    new KubeEvents(cluster).readEvents(namespaceKey, UID);
  }

  private static List<String> paths(String value) {
    String claims = "/api/v1/namespaces/evil/persistentvolumeclaims";
    return List.of(
        "GET /api/v1/nodes/" + value,
        "GET /api/v1/namespaces/evil/secrets/" + value,
        "PATCH /api/v1/namespaces/" + value + "/persistentvolumeclaims/db",
        "PATCH " + claims + "/" + value + "/status",
        "POST " + claims,
        "DELETE " + claims + "/" + value,
        "GET /api/v1/namespaces/" + value + "/pods",
        "GET /api/v1/namespaces/" + value + "/events");
  }
}
