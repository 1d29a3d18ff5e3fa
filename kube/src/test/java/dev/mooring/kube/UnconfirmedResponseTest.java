package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.ListWatchException;
import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.kube.RecordingServer.RecordedRequest;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.time.SystemTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A redirect and a response about another object never confirm a request. */
class UnconfirmedResponseTest {
  private static final ObjectKey VA = ObjectKey.cluster("va1");
  private static final ObjectKey LEASE = ObjectKey.of("kube-system", "mooring");
  private static final Uid UID = Uid.of("u");
  private static final String REMEDY = "point the kubeconfig at the API server itself";

  @TempDir private Path folder;
  private final SystemTime time = new SystemTime();
  private volatile Answer answer = Answer.json(200, "{}");
  private volatile @Nullable Answer readAnswer; // null: the same as to writes
  private RecordingServer server;
  private KubeConnection connection;
  private KubeCluster cluster;

  @BeforeEach
  void start() throws Exception {
    server = new RecordingServer(this::answer);
    connection = server.connect(folder);
    cluster = KubeCluster.alone(connection, time);
  }

  @AfterEach
  void stop() {
    connection.close();
    server.close();
    time.close();
  }

  private Answer answer(RecordedRequest request) {
    Answer ofReads = readAnswer;
    return ofReads != null && request.method().equals("GET") ? ofReads : answer;
  }

  private static String attachment(String uid) {
    return """
    {"kind": "VolumeAttachment", "apiVersion": "storage.k8s.io/v1",
     "metadata": {"name": "va1", "uid": "%s", "resourceVersion": "7"}, "spec": {}}\
    """
        .formatted(uid);
  }

  private static String lease(String holder) {
    return """
    {"kind": "Lease", "apiVersion": "coordination.k8s.io/v1",
     "metadata": {"namespace": "kube-system", "name": "mooring", "uid": "u", "resourceVersion": "7"},
     "spec": {"holderIdentity": "%s", "leaseDurationSeconds": 15,
              "renewTime": "2026-01-01T00:00:00.000000Z"}}\
    """
        .formatted(holder);
  }

  private void redirectWrites(int code, String read) {
    readAnswer = Answer.json(200, read);
    redirect(code);
  }

  private void redirect(int code) {
    answer = new Answer(code, Map.of("Location", "/elsewhere?token=s3cret"), "");
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void write_redirected_isUnreachableAndNamesRemedy(int code) throws Exception {
    redirectWrites(code, attachment("u"));
    for (WriteResult<Attachment> result :
        List.of(
            cluster.delete(Kind.ATTACHMENT, VA, UID, 7),
            cluster.patch(Kind.ATTACHMENT, VA, Document.empty()),
            cluster.patchStatus(Kind.ATTACHMENT, VA, Document.empty()),
            cluster.patchAndRead(Kind.ATTACHMENT, VA, Document.empty()).result(),
            cluster.create(Kind.ATTACHMENT, VA, Document.empty()))) {
      assertThat(result).isInstanceOf(WriteResult.Unreachable.class);
      assertThat(result.toString())
          .contains(Integer.toString(code), "/elsewhere", REMEDY)
          .doesNotContain("s3cret");
    }
    assertThat(server.requests()).extracting(RecordedRequest::method).doesNotContain("GET");
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void read_redirected_failsAndNamesRemedy(int code) throws Exception {
    redirect(code);
    assertThat(((ReadResult.Failed<Attachment>) cluster.read(Kind.ATTACHMENT, VA)).message())
        .contains(Integer.toString(code), REMEDY);
    assertThat(connection.probe()).contains(Integer.toString(code), REMEDY);
    AtomicReference<String> listError = new AtomicReference<>("");
    try {
      new KubeListWatch<>(connection, Kind.ATTACHMENT).list(each -> {});
    } catch (ListWatchException e) {
      listError.set(e.getMessage());
    }
    assertThat(listError.get()).contains(Integer.toString(code), REMEDY);
    assertThat(server.requests())
        .extracting(RecordedRequest::uri)
        .noneMatch(uri -> uri.contains("elsewhere"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "another kind | {'kind': 'Volume', 'metadata': {'name': 'va1', 'uid': 'u'}}",
        "an empty object | {}",
        "another name | {'kind': 'VolumeAttachment', 'metadata': {'name': 'va2', 'uid': 'u'}}",
        "another uid | {'kind': 'VolumeAttachment', 'metadata': {'name': 'va1', 'uid': 'v'}}",
        "a list | {'kind': 'VolumeAttachmentList', 'items': []}",
        "another object's Status | {'kind': 'Status', 'status': 'Success', 'details': {'name': 'va2', 'uid': 'u'}}",
        "another uid's Status | {'kind': 'Status', 'status': 'Success', 'details': {'name': 'va1', 'uid': 'v'}}",
        "a failure | {'kind': 'Status', 'status': 'Failure', 'message': 'no'}",
      })
  void delete_responseAboutOtherObject_isUnreachable(String description, String body)
      throws Exception {
    answer = Answer.json(200, body.replace('\'', '"'));
    assertThat(cluster.delete(Kind.ATTACHMENT, VA, UID, 7))
        .as(description)
        .isInstanceOf(WriteResult.Unreachable.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'kind': 'Status', 'status': 'Success', 'details': {'name': 'va1', 'uid': 'u'}}",
        "{'kind': 'Status', 'status': 'Success'}",
        "{'kind': 'VolumeAttachment', 'metadata': {'name': 'va1', 'uid': 'u'}}",
      })
  void delete_responseWithObjectOrSuccess_isGone(String body) throws Exception {
    answer = Answer.json(200, body.replace('\'', '"'));
    assertThat(cluster.delete(Kind.ATTACHMENT, VA, UID, 7)).isInstanceOf(WriteResult.Gone.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'kind': 'Volume', 'metadata': {'name': 'va1', 'uid': 'u'}}",
        "{'kind': 'Status', 'status': 'Success', 'details': {'name': 'va1', 'uid': 'u'}}",
      })
  void request_responseOfOtherKind_fails(String body) throws Exception {
    answer = Answer.json(200, body.replace('\'', '"'));
    assertThat(cluster.patch(Kind.ATTACHMENT, VA, Document.empty()))
        .isInstanceOf(WriteResult.Unreachable.class);
    assertThat(cluster.patchAndRead(Kind.ATTACHMENT, VA, Document.empty()).result())
        .isInstanceOf(WriteResult.Unreachable.class);
    assertThat(cluster.read(Kind.ATTACHMENT, VA)).isInstanceOf(ReadResult.Failed.class);
  }

  @Test
  void election_responseWithoutOwnHolder_doesNotLead() throws Exception {
    LeaderElection election =
        LeaderElection.over(
            connection,
            new LeaderElection.Config(
                LEASE,
                "me",
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                Map.of()),
            event -> {},
            time,
            () -> 0);
    answer = Answer.json(200, lease(""));
    assertThat(election.acquireOrRenew()).as("Lease without a holder").isFalse();
    redirectWrites(302, lease("other"));
    assertThat(election.acquireOrRenew()).isFalse();
    assertThat(election.canWrite()).isFalse();
    assertThat(cluster.patch(Kind.LEASE, LEASE, Document.empty()))
        .isInstanceOf(WriteResult.Unreachable.class);
  }

  // An empty list of claims would let Mooring delete storage that a claim still uses.
  @Test
  void list_responseOfOtherKind_fails() throws Exception {
    answer = Answer.json(200, "{}");
    assertThat(cluster.list(Kind.CLAIM, "ns")).isInstanceOf(ReadResult.Failed.class);
    answer =
        Answer.json(
            200,
            "{\"kind\": \"PodList\", \"metadata\": {\"resourceVersion\": \"7\"}, \"items\": []}");
    assertThat(cluster.list(Kind.CLAIM, "ns")).isInstanceOf(ReadResult.Failed.class);
  }
}
