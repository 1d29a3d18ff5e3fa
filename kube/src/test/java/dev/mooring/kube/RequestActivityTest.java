package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.kube.RecordingServer.RecordedRequest;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.SimTime;
import dev.mooring.workqueue.ReconcileContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests count as a key's activity only if the server has answered them. */
class RequestActivityTest {
  private static final class RecordedActivity implements ReconcileContext.ReconcileListener {
    private final List<String> acts = new ArrayList<>();
    private int requests;

    @Override
    public void requestStarting() {
      requests++;
    }

    @Override
    public void requestAnswered(boolean write, String target, int content) {
      acts.add(target);
    }

    @Override
    public void ownWriteObserved() {}
  }

  private final SimTime time = new SimTime(true);
  @TempDir private Path folder;

  private static Answer answer(RecordedRequest request) {
    String name = request.uri().split("[/?]")[6];
    return switch (name) {
      case "broken" -> Answer.json(500, "{\"kind\": \"Status\", \"code\": 500}");
      case "refused" -> Answer.json(422, "{\"kind\": \"Status\", \"code\": 422}");
      default ->
          Answer.json(
              200, "{\"metadata\": {\"namespace\": \"a\", \"name\": \"%s\"}}".formatted(name));
    };
  }

  private RecordedActivity runFor(String name) throws Exception {
    RecordedActivity activity = new RecordedActivity();
    ObjectKey key = ObjectKey.of("a", name);
    try (RecordingServer server = new RecordingServer(RequestActivityTest::answer)) {
      KubeCluster cluster = KubeCluster.alone(server.connect(folder), time);
      ReconcileContext.<Void, Exception>run(
          activity,
          () -> {
            cluster.read(Kind.CLAIM, key);
            cluster.patch(Kind.CLAIM, key, Document.empty());
            return null;
          });
    }
    assertThat(activity.requests).as("waits for the server").isEqualTo(2);
    return activity;
  }

  @Test
  void answered_readAndWrite_countAsActs() throws Exception {
    String path = "/api/v1/namespaces/a/persistentvolumeclaims/c";
    assertThat(runFor("c").acts).containsExactly(path, "PATCH " + path);
  }

  // Retries back off anyway; an outage of the server is no sign of a hot loop.
  @Test
  void serverError_readAndWrite_doNotCount() throws Exception {
    assertThat(runFor("broken").acts).isEmpty();
  }

  @Test
  void rejected_write_countsAsAct() throws Exception {
    assertThat(runFor("refused").acts)
        .containsExactly("PATCH /api/v1/namespaces/a/persistentvolumeclaims/refused");
  }
}
