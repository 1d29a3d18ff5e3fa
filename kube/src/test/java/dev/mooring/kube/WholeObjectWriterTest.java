package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.kube.RecordingServer.Answer;
import dev.mooring.kube.RecordingServer.RecordedRequest;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WholeObjectWriterTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "db");

  @TempDir private Path folder;

  @Test
  void writes_ofWholeObjects_haveManagerPreconditionsAndPropagation() throws Exception {
    try (RecordingServer server = new RecordingServer(request -> Answer.json(200, "{}"))) {
      WholeObjectWriter writer = new WholeObjectWriter(server.connect(folder));
      assertThat(writer.create(Kind.SECRET, KEY, Map.of("a", "b")))
          .isEqualTo(new WriteResult.Written<>(KEY));
      writer.tryCreate(Kind.SECRET, KEY, Map.of("a", "b"));
      writer.deleteAndOrphan(Kind.SECRET, KEY, Uid.of("u"), 7);
      assertThat(server.requests())
          .extracting(RecordedRequest::method)
          .containsExactly("POST", "POST", "DELETE");
      assertThat(server.requests().get(0).uri())
          .isEqualTo("/api/v1/namespaces/shop/secrets?fieldManager=mooring");
      assertThat(server.requests().get(1).uri()).contains("dryRun=All");
      assertThat(server.requests().get(2).body())
          .contains("\"Orphan\"", "\"uid\":\"u\"", "\"resourceVersion\":\"7\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "404, NotFound, Gone",
    "409, Conflict, Conflict",
    "422, Invalid, Rejected",
    "403, Forbidden, Rejected",
    "429, TooManyRequests, Unreachable",
    "500, InternalError, Unreachable",
  })
  void refusal_eachStatus_isResult(int code, String reason, String result) throws Exception {
    try (RecordingServer server =
        new RecordingServer(request ->
            Answer.json(
                code,
                "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"reason\": \"%s\", \"code\": %d}"
                    .formatted(reason, code)))) {
      WholeObjectWriter writer = new WholeObjectWriter(server.connect(folder));
      assertThat(writer.create(Kind.SECRET, KEY, Map.of()).getClass().getSimpleName())
          .isEqualTo(result);
      assertThat(writer.create(Kind.SECRET, ObjectKey.of("..", "x"), Map.of()))
          .isInstanceOf(WriteResult.Rejected.class);
    }
  }
}
