package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.ProtobufBodies;
import dev.mooring.apiserver.codec.TableFile;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Writes and reads an object of every built-in kind, as {@code all-kinds.txt} lists them. */
@Timeout(20)
class AllKindsTest {
  private static final Map<String, String> OBJECTS =
      TableFile.read(AllKindsTest.class, "all-kinds.txt");
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static ApiServer server;

  @BeforeAll
  static void start() {
    server = NamespacesTest.start();
  }

  @AfterAll
  static void stop() throws IOException {
    HTTP.shutdownNow();
    server.close();
  }

  static Stream<String> kinds() {
    return KindCatalogue.ALL.stream().filter(t -> !t.traits().isReadOnly()).map(AllKindsTest::key);
  }

  private static String key(ResourceType type) {
    boolean isOldVersion = type.isAlias() && type.group().equals("autoscaling");
    return type.qualifiedName() + (isOldVersion ? "/" + type.version() : "");
  }

  private static ResourceType find(String key) {
    return KindCatalogue.ALL.stream().filter(t -> key(t).equals(key)).findFirst().orElseThrow();
  }

  private static JsonObject parse(String json) {
    return JsonParser.parseString(json).getAsJsonObject();
  }

  private static JsonObject makeObject(ResourceType type, String line) {
    JsonObject object = parse(line.substring(0, line.indexOf(" => ")));
    object.addProperty("kind", type.kind());
    object.addProperty("apiVersion", type.apiVersion());
    JsonObject metadata = JsonBodies.getOrAddChild(object, "metadata");
    if (!metadata.has("name")) {
      metadata.addProperty("name", "x");
    }
    return object;
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.url() + path))
        .header("Authorization", "Bearer tok");
  }

  private static <T> T send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> body, int code)
      throws Exception {
    HttpResponse<T> answer = HTTP.send(request.build(), body);
    assertThat(answer.statusCode()).as("%s", answer.body()).isEqualTo(code);
    return answer.body();
  }

  private static JsonObject sendJson(String method, String path, JsonObject body, int code)
      throws Exception {
    boolean isPatch = method.equals("PATCH");
    return parse(
        send(
            request(path)
                .header(
                    "Content-Type", isPatch ? "application/merge-patch+json" : "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body.toString())),
            HttpResponse.BodyHandlers.ofString(),
            code));
  }

  private static JsonObject getJson(String path) throws Exception {
    return parse(send(request(path), HttpResponse.BodyHandlers.ofString(), 200));
  }

  private static byte[] getProtobuf(String path) throws Exception {
    return send(
        request(path).header("Accept", PROTOBUF), HttpResponse.BodyHandlers.ofByteArray(), 200);
  }

  private static String getPath(ResourceType type) {
    return (type.group().isEmpty() ? "/api/" : "/apis/")
        + type.apiVersion()
        + (type.namespaced() ? "/namespaces/default/" : "/")
        + type.plural();
  }

  private static void assertContains(JsonElement object, JsonElement expected, String field) {
    if (expected instanceof JsonObject members && object instanceof JsonObject actual) {
      members
          .entrySet()
          .forEach(
              e -> assertContains(actual.get(e.getKey()), e.getValue(), field + "." + e.getKey()));
    } else {
      assertThat(object).as(field).isEqualTo(expected);
    }
  }

  private static JsonObject decode(ResourceType type, byte[] body) throws Exception {
    JsonObject tree = ProtobufBodies.decode(body, KindCatalogue::findMessage);
    return JsonBodies.conform(tree, type.schema(), new ArrayList<>()).object();
  }

  private static String textAt(JsonObject object, String... path) {
    return JsonBodies.textAt(object, path);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void object_ofKind_isWrittenAndReadInEveryForm(String key) throws Exception {
    ResourceType type = find(key);
    String line = OBJECTS.getOrDefault(key, "{} => {}");
    String collection = getPath(type);
    String version = textAt(getJson(collection), "metadata", "resourceVersion");
    JsonObject object = makeObject(type, line);
    JsonObject created = sendJson("POST", collection + "?fieldValidation=Strict", object, 201);
    assertContains(created, parse(line.substring(line.indexOf(" => ") + 4)), key);
    String path = collection + "/" + textAt(created, "metadata", "name");

    assertThat(decode(type, getProtobuf(path))).isEqualTo(getJson(path));
    byte[] protobuf = getProtobuf(path);
    HttpRequest.Builder put =
        request(path)
            .header("Content-Type", PROTOBUF)
            .PUT(HttpRequest.BodyPublishers.ofByteArray(protobuf));
    JsonObject replaced = parse(send(put, HttpResponse.BodyHandlers.ofString(), 200));
    replaced.getAsJsonObject("metadata").remove("managedFields");
    JsonObject stored = getJson(path);
    stored.getAsJsonObject("metadata").remove("managedFields");
    assertThat(replaced).isEqualTo(stored);

    JsonObject labels = parse("{\"metadata\":{\"labels\":{\"l\":\"1\"}}}");
    JsonObject labelled = sendJson("PATCH", path, labels, 200);
    assertThat(textAt(labelled, "metadata", "labels", "l")).isEqualTo("1");
    assertThat(getJson(collection + "?labelSelector=l%3D1").getAsJsonArray("items")).hasSize(1);
    checkSubresources(type, path);
    checkTable(type, collection);
    checkWatch(collection, version);
    send(request(path).DELETE(), HttpResponse.BodyHandlers.ofString(), 200);
  }

  private static void checkSubresources(ResourceType type, String path) throws Exception {
    for (String subresource : type.subresources()) {
      if (List.of("status", "scale", "approval").contains(subresource)) {
        assertThat(textAt(getJson(path + "/" + subresource), "metadata", "name")).isNotEmpty();
      }
    }
    if (type.hasStatus()) {
      String generation = textAt(getJson(path), "metadata", "generation");
      JsonObject patch = parse("{\"metadata\":{\"annotations\":{\"a\":\"1\"}}}");
      JsonObject patched = sendJson("PATCH", path + "/status", patch, 200);
      assertThat(textAt(patched, "metadata", "generation")).isEqualTo(generation);
    }
  }

  private static void checkTable(ResourceType type, String collection) throws Exception {
    HttpRequest.Builder list =
        request(collection).header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
    JsonObject table = parse(send(list, HttpResponse.BodyHandlers.ofString(), 200));
    int columns = table.getAsJsonArray("columnDefinitions").size();
    assertThat(columns).isEqualTo(type.columns().size());
    assertThat(table.getAsJsonArray("rows"))
        .isNotEmpty()
        .allSatisfy(
            row -> assertThat(row.getAsJsonObject().getAsJsonArray("cells")).hasSize(columns));
  }

  private static void checkWatch(String collection, String version) throws Exception {
    String query = "?watch=true&resourceVersion=" + version;
    try (BufferedReader events =
        new BufferedReader(
            new InputStreamReader(
                send(request(collection + query), HttpResponse.BodyHandlers.ofInputStream(), 200),
                StandardCharsets.UTF_8))) {
      assertThat(parse(events.readLine()).get("type").getAsString()).isEqualTo("ADDED");
    }
  }

  @Test
  void jobTemplate_changed_isRefused() throws Exception {
    Client client = new Client(server, "tok");
    String jobs = "/apis/batch/v1/namespaces/default/jobs";
    String pod = "{'spec':{'restartPolicy':'%s','containers':[{'name':'c','image':'i'}]}}";
    String job = "{'metadata':{'name':'j'},'spec':{'template':" + pod + "}}";
    assertThat(client.post(jobs, job.formatted("Always")).at("message"))
        .endsWith(
            "spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"");
    assertThat(client.post(jobs, job.formatted("Never")).code()).isEqualTo(201);
    String change = "{'spec':{'template':{'spec':{'restartPolicy':'OnFailure'}}}}";
    assertThat(client.merge(jobs + "/j", change).causes())
        .containsExactly("FieldValueInvalid spec.template");
  }

  @Test
  void autoscaler_storedAsVersion2_isReadAsVersion1() throws Exception {
    Client client = new Client(server, "tok");
    String path = "/apis/autoscaling/%s/namespaces/default/horizontalpodautoscalers";
    String memory =
        "{'type':'Resource','resource':{'name':'memory','target':{'type':'Utilization','averageUtilization':5}}}";
    client.post(
        path.formatted("v2"),
        "{'metadata':{'name':'h'},'spec':{'maxReplicas':3,'metrics':["
            + memory
            + "],'scaleTargetRef':{'kind':'Deployment','name':'d'}}}");
    Client.Answer old = client.get(path.formatted("v1") + "/h");
    assertThat(old.at("metadata", "annotations", "autoscaling.alpha.kubernetes.io/metrics"))
        .isEqualTo("[" + memory.replace('\'', '"') + "]");
    client.merge(path.formatted("v1") + "/h", "{'spec':{'targetCPUUtilizationPercentage':50}}");
    Client.Answer current = client.get(path.formatted("v2") + "/h");
    assertThat(current.body().getAsJsonObject("spec").getAsJsonArray("metrics")).hasSize(2);
    assertThat(current.at("metadata", "annotations")).isEmpty();
  }

  @Test
  void discovery_everyKind_isListedInItsVersion() throws Exception {
    for (ResourceType type : KindCatalogue.ALL) {
      String path = (type.group().isEmpty() ? "/api/" : "/apis/") + type.apiVersion();
      assertThat(getJson(path).getAsJsonArray("resources").toString())
          .contains("{\"name\":\"" + type.plural() + "\"");
      assertThat(getJson("/openapi/v3/" + path.substring(1)).getAsJsonObject("paths").keySet())
          .anyMatch(p -> p.endsWith("/" + type.plural()));
    }
  }
}
