package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.kube.RecordingServer.Asked;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.SimTime;
import dev.mooring.workqueue.OwnDoing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What counts as done for a key: only what the server has answered. */
class OwnDoingTest {
  private static final class Noted implements OwnDoing.Activity {
    private final List<String> acts = new ArrayList<>();
    private int asked;

    @Override
    public void asks() {
      asked++;
    }

    @Override
    public void acted(boolean write, String target, int content) {
      acts.add(target);
    }

    @Override
    public void echoed() {}
  }

  private final SimTime time = new SimTime(true);
  @TempDir private Path folder;

  private static Answer answer(Asked asked) {
    String name = asked.uri().split("[/?]")[6];
    return switch (name) {
      case "broken" -> Answer.json(500, "{\"kind\": \"Status\", \"code\": 500}");
      case "refused" -> Answer.json(422, "{\"kind\": \"Status\", \"code\": 422}");
      default ->
          Answer.json(
              200, "{\"metadata\": {\"namespace\": \"a\", \"name\": \"%s\"}}".formatted(name));
    };
  }

  private Noted doing(String name) throws Exception {
    Noted noted = new Noted();
    ObjectKey key = ObjectKey.of("a", name);
    try (RecordingServer server = new RecordingServer(OwnDoingTest::answer)) {
      KubeCluster cluster = KubeCluster.alone(server.connect(folder), time);
      OwnDoing.<Void, Exception>as(
          noted,
          () -> {
            cluster.read(Kind.CLAIM, key);
            cluster.patch(Kind.CLAIM, key, Document.empty());
            return null;
          });
    }
    assertThat(noted.asked).as("that it waits for the server is said each time").isEqualTo(2);
    return noted;
  }

  @Test
  void whatIsReadAndWrittenCounts() throws Exception {
    String path = "/api/v1/namespaces/a/persistentvolumeclaims/c";
    assertThat(doing("c").acts).containsExactly(path, "PATCH " + path);
  }

  /** Who tries it again backs off; that a server was down is no reason to distrust a key. */
  @Test
  void whatTheServerCouldNotAnswerDoesNot() throws Exception {
    assertThat(doing("broken").acts).isEmpty();
  }

  @Test
  void whatItRefusesDoes() throws Exception {
    assertThat(doing("refused").acts)
        .containsExactly("PATCH /api/v1/namespaces/a/persistentvolumeclaims/refused");
  }
}
