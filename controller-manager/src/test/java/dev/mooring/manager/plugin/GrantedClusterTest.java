package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.PluginCluster;
import dev.mooring.testkit.FaultyCluster;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Translation of the API server's answers to results for plugins. */
class GrantedClusterTest {
  private static WriteResult<?> answerWrite(FaultyCluster.Request request, int code) {
    if (request.verb() == FaultyCluster.Verb.CREATE) {
      assertThat(request.key()).isEqualTo(ObjectKey.of("helpers", "p"));
      assertThat(request.document().members())
          .isEqualTo(
              Map.of(
                  "metadata",
                  Map.of("labels", Map.of("a", "b"), "name", "p", "namespace", "helpers"),
                  "spec",
                  Map.of("c", "d")));
    }
    return switch (code) {
      case 0 -> new WriteResult.Unreachable<>("no answer");
      case 404 -> new WriteResult.Gone<>();
      case 409 -> new WriteResult.Conflict<>("there is one");
      default -> new WriteResult.Rejected<>(code, "no");
    };
  }

  /** Returns a cluster that answers everything with one code; 0 for no answer, 404 for absence. */
  private static PluginCluster cluster(int code) {
    FaultyCluster server =
        new FaultyCluster()
            .onWrite(request -> answerWrite(request, code))
            .onRead(request ->
                code == 404 ? new ReadResult.Absent<>() : new ReadResult.Failed<>("no answer"));
    return new GrantedCluster("helpers", server, server);
  }

  private static Class<?> resultType(Attempt<?> attempt) {
    return attempt instanceof Attempt.Failed<?>(Failure failure)
        ? failure.getClass()
        : attempt.getClass();
  }

  @ParameterizedTest
  @CsvSource({
    "0, Uncertain",
    "400, Rejected",
    "422, Rejected",
    "403, Unreachable",
    "404, Unreachable",
    "500, Unreachable",
    "409, Done"
  })
  void create_anyAnswerCode_isTranslated(int code, String kind) throws Exception {
    Map<String, Object> pod =
        Map.of("metadata", Map.of("labels", Map.of("a", "b")), "spec", Map.of("c", "d"));
    assertThat(resultType(cluster(code).create("p", pod)).getSimpleName()).isEqualTo(kind);
  }

  @Test
  void read_absentOrFailed_isDistinguished() throws Exception {
    assertThat(cluster(404).node("n")).isEqualTo(Attempt.done(Optional.<Node>empty()));
    assertThat(resultType(cluster(0).node("n"))).isEqualTo(Failure.Unreachable.class);
    assertThat(resultType(cluster(404).volumes())).isEqualTo(Failure.Unreachable.class);
    assertThat(cluster(404).delete("p", Uid.of("u")))
        .isEqualTo(Attempt.done(PluginCluster.Deletion.ABSENT));
    assertThat(resultType(cluster(0).delete("p", Uid.of("u")))).isEqualTo(Failure.Uncertain.class);
  }
}
