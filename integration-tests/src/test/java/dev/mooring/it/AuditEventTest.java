package dev.mooring.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.apiserver.ApiServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditEventTest {
  private static final String LINE =
      """
      {"verb":"%s","requestURI":"/api/v1/nodes?a=b","userAgent":"x","responseStatus":{"code":200}}
      """;

  @TempDir private Path folder;

  @Test
  void read_unfinishedLine_isSkipped() throws Exception {
    Path log = folder.resolve("audit");
    assertThat(AuditEvent.read(log)).isEmpty();

    Files.writeString(log, LINE.formatted("get") + "{\"verb\":\"li");
    assertThat(AuditEvent.read(log))
        .containsExactly(new AuditEvent("get", "/api/v1/nodes?a=b", "x", 200));
    assertThat(AuditEvent.read(log).getFirst().path()).isEqualTo("/api/v1/nodes");
  }

  @Test
  void read_positionInsideLine_skipsLine() throws Exception {
    Path log = Files.writeString(folder.resolve("audit"), LINE.formatted("get"));
    long positionInLine = Files.size(log) - 3;
    Files.writeString(log, LINE.formatted("get") + LINE.formatted("list"));

    assertThat(AuditEvent.read(log, positionInLine))
        .extracting(AuditEvent::verb)
        .containsExactly("list");
  }

  /** {@link RestrictedServer} finds forbidden requests by this code. */
  @Test
  void read_forbiddenWatch_hasCode403() throws Exception {
    Path log = folder.resolve("audit");
    try (ApiServer server = ApiServer.start(RestrictedServer.config(log));
        HttpClient http = HttpClient.newHttpClient()) {
      URI watch = URI.create(server.url() + "/api/v1/nodes?watch=true");
      assertThat(
              http.send(
                      HttpRequest.newBuilder(watch).build(), HttpResponse.BodyHandlers.discarding())
                  .statusCode())
          .isEqualTo(403);
    }
    assertThat(AuditEvent.read(log))
        .extracting(AuditEvent::toString, AuditEvent::code)
        .containsExactly(tuple("watch /api/v1/nodes?watch=true", 403));
  }
}
