package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CachedAnswersTest {
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  private static final String V2_PROTOBUF =
      "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
  private static final String V3_PROTOBUF =
      "application/com.github.proto-openapi.spec.v3@v1.0+protobuf";

  private final ApiServer server = NamespacesTest.start();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void stop() throws IOException {
    http.shutdownNow();
    server.close();
  }

  private HttpResponse<byte[]> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .header("Authorization", "Bearer tok");
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static String header(HttpResponse<?> answer, String name) {
    return String.join("|", answer.headers().allValues(name));
  }

  @ParameterizedTest
  @CsvSource({
    "/api,                                " + AGGREGATED,
    "/apis,                               " + AGGREGATED,
    "/openapi/v2,                         application/json",
    "/openapi/v2,                         " + V2_PROTOBUF,
    "/openapi/v3/api/v1,                  application/json",
    "/openapi/v3/apis/storage.k8s.io/v1,  application/json",
  })
  void notModified_anyDocument_hasNoBodyHeaders(String path, String accept) throws Exception {
    HttpResponse<byte[]> document = get(path, "Accept", accept);
    String etag = header(document, "ETag");
    HttpResponse<byte[]> notModified = get(path, "Accept", accept, "If-None-Match", etag);
    HttpResponse<byte[]> otherTag = get(path, "Accept", accept, "If-None-Match", "\"0\"");

    assertThat(document.statusCode()).isEqualTo(200);
    assertThat(etag).matches("\"[0-9A-F]{128}\"");
    assertThat(header(document, "Vary")).contains("Accept");
    assertThat(notModified.statusCode()).isEqualTo(304);
    assertThat(notModified.body()).isEmpty();
    assertThat(notModified.headers().map().keySet())
        .doesNotContain("content-type", "content-length", "content-encoding", "transfer-encoding");
    assertThat(header(notModified, "ETag")).isEqualTo(etag);
    assertThat(otherTag.statusCode()).isEqualTo(200);
    assertThat(otherTag.body()).isEqualTo(document.body());
  }

  @Test
  void discovery_anyAnswer_isCacheable() throws Exception {
    HttpResponse<byte[]> document = get("/apis", "Accept", AGGREGATED);
    HttpResponse<byte[]> notModified =
        get("/apis", "Accept", AGGREGATED, "If-None-Match", header(document, "ETag"));

    assertThat(header(document, "Cache-Control")).isEqualTo("public");
    assertThat(header(notModified, "Cache-Control")).isEqualTo("public");
  }

  @Test
  void discovery_newDefinition_changesTheEtag() throws Exception {
    String oldEtag = header(get("/apis", "Accept", AGGREGATED), "ETag");
    SnapshotResources.install(server.handlers());
    String newEtag = header(get("/apis", "Accept", AGGREGATED), "ETag");

    assertThat(newEtag).isNotEqualTo(oldEtag);
  }

  @Test
  void openApiRoot_everyEntry_isServedUnderItsHash() throws Exception {
    HttpResponse<byte[]> root = get("/openapi/v3", "Accept", "application/json, */*");
    Map<String, ?> paths =
        JsonParser.parseString(new String(root.body()))
            .getAsJsonObject()
            .getAsJsonObject("paths")
            .asMap();

    assertThat(header(root, "Content-Type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(header(root, "Last-Modified")).endsWith(" GMT");
    assertThat(paths.keySet())
        .contains("api", "api/v1", "apis", "apis/apps", "apis/apps/v1", "version");
    for (Object entry : paths.values()) {
      String url =
          JsonParser.parseString(entry.toString())
              .getAsJsonObject()
              .get("serverRelativeURL")
              .getAsString();
      HttpResponse<byte[]> document = get(url, "Accept", "application/json");
      assertThat(document.statusCode()).as(url).isEqualTo(200);
      assertThat(header(document, "Cache-Control")).as(url).isEqualTo("public, immutable");
      assertThat(header(document, "Expires")).as(url).isNotEmpty();
      assertThat(header(document, "ETag"))
          .isEqualTo("\"" + url.substring(url.indexOf("?hash=") + 6) + "\"");
    }
  }

  @Test
  void openApiDocument_oldHash_redirectsToTheNewOne() throws Exception {
    HttpResponse<byte[]> old = get("/openapi/v3/api/v1?hash=OLD", "Accept", "application/json");
    HttpResponse<byte[]> redirected = get(header(old, "Location"), "Accept", "application/json");
    HttpResponse<byte[]> plain = get("/openapi/v3/api/v1", "Accept", "application/json");

    assertThat(old.statusCode()).isEqualTo(301);
    assertThat(header(old, "Location")).startsWith("/openapi/v3/api/v1?hash=");
    assertThat(redirected.statusCode()).isEqualTo(200);
    assertThat(header(plain, "Cache-Control")).isEqualTo("no-cache, private");
    assertThat(plain.body()).isEqualTo(redirected.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/openapi/v2", "/openapi/v3/api/v1"})
  void openApiDocument_unsupportedMediaType_isRefused(String path) throws Exception {
    assertThat(get(path, "Accept", "text/html").statusCode()).isEqualTo(406);
    assertThat(header(get(path, "Accept", "text/html, */*;q=0.1"), "Content-Type"))
        .isEqualTo("application/json");
    assertThat(header(get(path), "Content-Type")).isEqualTo("application/json");
  }

  @Test
  void openApiDocument_protobufPreferred_isProtobuf() throws Exception {
    assertThat(
            header(
                get("/openapi/v2", "Accept", "application/json;q=0.5," + V2_PROTOBUF),
                "Content-Type"))
        .isEqualTo("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
    assertThat(header(get("/openapi/v3/api/v1", "Accept", V3_PROTOBUF), "Content-Type"))
        .isEqualTo("application/com.github.proto-openapi.spec.v3.v1.0+protobuf");
  }

  @Test
  void largeAnswer_clientReadsGzip_isCompressed() throws Exception {
    String maps = "/api/v1/namespaces/default/configmaps";
    String text = "x".repeat(200_000);
    HttpResponse<byte[]> created =
        http.send(
            HttpRequest.newBuilder(URI.create(server.url() + maps))
                .header("Authorization", "Bearer tok")
                .header("Content-Type", "application/json")
                .header("Accept-Encoding", "deflate, gzip")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"metadata\":{\"name\":\"m\"},\"data\":{\"k\":\"" + text + "\"}}"))
                .build(),
            HttpResponse.BodyHandlers.ofByteArray());

    assertThat(created.statusCode()).isEqualTo(201);
    for (HttpResponse<byte[]> large :
        List.of(
            created,
            get(maps, "Accept-Encoding", "gzip"),
            get(maps + "/m", "Accept-Encoding", "br", "Accept-Encoding", "gzip"))) {
      assertThat(header(large, "Content-Encoding")).isEqualTo("gzip");
      assertThat(header(large, "Vary")).isEqualTo("Accept-Encoding");
      assertThat(large.body().length).isLessThan(20_000);
    }
    assertThat(header(get(maps), "Content-Encoding")).isEmpty();
    assertThat(header(get(maps, "Accept-Encoding", "gzip;q=0"), "Content-Encoding")).isEmpty();
  }

  @Test
  void openApi_clientReadsGzip_isCompressed() throws Exception {
    HttpResponse<byte[]> document = get("/openapi/v2", "Accept-Encoding", "gzip");

    assertThat(header(document, "Content-Encoding")).isEqualTo("gzip");
    assertThat(header(document, "Vary")).contains("Accept", "Accept-Encoding");
  }
}
