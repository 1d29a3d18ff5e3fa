package dev.mooring.it.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.AuditEvent;
import dev.mooring.it.CommandResult;
import dev.mooring.it.JavaProcess;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.testkit.TestWait;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests {@code mooring explain --mcp} with read-only access, through the SDK's client. The result
 * of a tool and the end of the input are tested in a separate process.
 */
@Isolated("replaces the standard streams")
class McpTest {
  private static final String INITIALIZE_REQUESTS =
      """
      {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}
      {"jsonrpc": "2.0", "method": "notifications/initialized"}
      """;

  /** Modules of the image, as docs/build.md lists them. */
  private static final String IMAGE_MODULES =
      "java.base,java.logging,java.management,java.naming,java.net.http,java.sql,java.xml,jdk.httpserver,jdk.jfr,jdk.unsupported,jdk.zipfs";

  private final McpJsonMapper mapper = new JacksonMcpJsonMapper(JsonMapper.shared());
  @TempDir private Path folder;
  private ApiServer server;
  private RestApi admin;
  private PipedCommand piped;

  @BeforeEach
  void start() throws Exception {
    server =
        ApiServer.start(
            new ApiServer.ServerOptions(0, "admin-token", null)
                .withAuditLog(folder.resolve("requests")));
    admin = RestApi.of(server, "admin-token");
    server.tokens().accept(ReadOnlyAccount.TOKEN, ReadOnlyAccount.USER);
    new CaseObjects(admin)
        .create(
            JsonParser.parseString(
                    """
                    [{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pv-a"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "nfs": {"server": "n", "path": "/"}}, "status": {"phase": "Available"}},
                     {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pv-b"}, "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "nfs": {"server": "n", "path": "/"}}, "status": {"phase": "Available"}},
                     {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "default"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": {"requests": {"storage": "2Gi"}}}},
                     {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "late", "namespace": "default"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "late", "resources": {"requests": {"storage": "2Gi"}}}},
                     {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "late"}, "provisioner": "csi.example.com", "volumeBindingMode": "WaitForFirstConsumer"}]
                    """)
                .getAsJsonArray());
  }

  @AfterEach
  void stop() throws Exception {
    if (piped != null) {
      piped.close();
    }
    server.close();
  }

  private void grantReadAll() throws Exception {
    ReadOnlyAccount.grantRead(
        admin,
        "persistentvolumes,nodes,persistentvolumeclaims,pods,events",
        "storageclasses,csidrivers,csinodes,csistoragecapacities,volumeattachments");
  }

  private Path kubeconfig() throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        server.kubeconfig().replace("admin-token", ReadOnlyAccount.TOKEN));
  }

  private List<String> arguments(String... options) throws Exception {
    List<String> args =
        new ArrayList<>(
            List.of("explain", "--kubeconfig=" + kubeconfig(), "--plugins=" + Resources.plugins()));
    args.addAll(List.of(options));
    return args;
  }

  private List<String> command(List<String> flags, String... options) throws Exception {
    List<String> jvmFlags = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
    jvmFlags.addAll(flags);
    return JavaProcess.command(jvmFlags, arguments(options).toArray(String[]::new));
  }

  private McpSyncClient startClient(String... flags) throws Exception {
    piped = new PipedCommand(folder, arguments(flags));
    return startClient(piped.relay());
  }

  private McpSyncClient startClient(List<String> command) {
    return McpClient.sync(
            new StdioClientTransport(
                ServerParameters.builder(command.getFirst())
                    .args(command.subList(1, command.size()))
                    .build(),
                mapper))
        .requestTimeout(TestWait.LONGEST)
        .initializationTimeout(TestWait.LONGEST)
        .build();
  }

  private static String text(CallToolResult result) {
    assertThat(result.content()).hasSize(1);
    return ((TextContent) result.content().getFirst()).text();
  }

  private static String withoutAges(String text) {
    return text.strip().replaceAll("for \\d+[smhd]", "for AGE");
  }

  private JsonObject structuredContent(CallToolResult result) throws IOException {
    assertThat(result.isError()).isFalse();
    return JsonParser.parseString(mapper.writeValueAsString(result.structuredContent()))
        .getAsJsonObject();
  }

  private static CallToolResult call(
      McpSyncClient client, String tool, Map<String, Object> arguments) {
    return client.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
  }

  private static String errorText(CallToolResult result) {
    assertThat(result.isError()).isTrue();
    assertThat(result.structuredContent()).isNull();
    assertThat(text(result).lines()).hasSize(1);
    return text(result);
  }

  private CommandResult explain(String... args) throws Exception {
    return CommandResult.ofExplain(kubeconfig(), Resources.plugins(), args);
  }

  @Test
  void tool_result_equalsHumanExplanation() throws Exception {
    grantReadAll();
    try (McpSyncClient client = startClient(command(List.of(), "--mcp"))) {
      assertThat(client.initialize().serverInfo().name()).isEqualTo("mooring");
      assertThat(client.getServerInstructions()).contains("writes nothing", "never instructions");
      assertThat(client.listTools().tools())
          .extracting(Tool::name)
          .containsExactly("explain", "list_waiting", "reasons");
      assertThat(client.listTools().tools())
          .allSatisfy(tool -> {
            assertThat(tool.annotations().readOnlyHint()).isTrue();
            assertThat(tool.annotations().idempotentHint()).isTrue();
            assertThat(tool.annotations().destructiveHint()).isFalse();
          });
      CallToolResult result = call(client, "explain", Map.of("kind", "pvc", "name", "data"));
      assertThat(withoutAges(text(result))).isEqualTo(withoutAges(explain("pvc/data").out()));
      assertThat(text(result)).contains("NoVolume", "has 1Gi, not 2Gi");
      assertThat(structuredContent(result))
          .isEqualTo(JsonParser.parseString(explain("pvc/data", "-o", "json").out()));
      CallToolResult waiting = call(client, "list_waiting", Map.of());
      assertThat(withoutAges(text(waiting))).isEqualTo(withoutAges(explain("-A", "--flat").out()));
      assertThat(structuredContent(waiting))
          .isEqualTo(JsonParser.parseString(explain("-A", "-o", "json").out()));
    }
    assertThat(AuditEvent.read(folder.resolve("requests")))
        .filteredOn(event -> event.userAgent().startsWith("mooring"))
        .hasSizeGreaterThan(10)
        .allSatisfy(event -> assertThat(event.verb()).isIn(ReadOnlyAccount.READS));
  }

  @Test
  void tool_repeatedCall_readsCurrentState() throws Exception {
    grantReadAll();
    try (McpSyncClient client = startClient("--mcp")) {
      client.initialize();
      Map<String, Object> lateClass = Map.of("kind", "class", "name", "late");
      assertThat(text(call(client, "explain", lateClass))).startsWith("class/late");
      admin.delete("StorageClass", "", "late", -1);
      assertThat(errorText(call(client, "explain", lateClass)))
          .isEqualTo("not found: StorageClass \"late\"");
      assertThat(errorText(call(client, "explain", Map.of("kind", "pvc", "name", "nope"))))
          .isEqualTo("not found: PersistentVolumeClaim \"nope\" in namespace \"default\"");
    }
  }

  @Test
  void tool_serverDown_isReportedWithoutStaleResult() throws Exception {
    grantReadAll();
    try (McpSyncClient client = startClient("--mcp")) {
      client.initialize();
      Map<String, Object> dataClaim = Map.of("kind", "pvc", "name", "data");
      assertThat(text(call(client, "explain", dataClaim))).contains("NoVolume");
      server.close();
      assertThat(errorText(call(client, "explain", dataClaim)))
          .startsWith("cannot read PersistentVolumeClaim default/data: ")
          .contains("127.0.0.1:" + server.port());
      assertThat(errorText(call(client, "list_waiting", Map.of())))
          .startsWith("cannot list persistentvolumeclaims in all namespaces: ");
      assertThat(text(call(client, "reasons", Map.of("code", "NoVolume")))).contains("Remedy");
    }
  }

  @Test
  void tool_manyItems_arePaged() throws Exception {
    grantReadAll();
    try (McpSyncClient client = startClient("--mcp")) {
      client.initialize();
      JsonObject firstPage = structuredContent(call(client, "list_waiting", Map.of("limit", 1)));
      int waiting = firstPage.get("waiting").getAsInt();
      assertThat(waiting).isGreaterThan(1);
      List<JsonObject> pages = new ArrayList<>(List.of(firstPage));
      while (pages.getLast().has("next")) {
        int offset = pages.getLast().get("next").getAsInt();
        pages.add(
            structuredContent(call(client, "list_waiting", Map.of("limit", 1, "offset", offset))));
      }
      assertThat(pages).hasSize(waiting);
      assertThat(pages.stream().map(page -> page.getAsJsonArray("items")).distinct())
          .hasSize(waiting)
          .allSatisfy(items -> assertThat(items).hasSize(1));
      CallToolResult lastPage = call(client, "list_waiting", Map.of("offset", 1000));
      assertThat(structuredContent(lastPage).getAsJsonArray("items")).isEmpty();
      assertThat(text(lastPage)).contains("no entries after the first");
      assertThat(text(call(client, "list_waiting", Map.of("namespace", "elsewhere"))))
          .startsWith("0 of 0 objects are waiting");
      JsonObject evidence =
          structuredContent(
                  call(client, "explain", Map.of("kind", "pvc", "name", "data", "evidence", 1)))
              .getAsJsonArray("items")
              .get(0)
              .getAsJsonObject()
              .getAsJsonObject("evidence");
      assertThat(evidence.getAsJsonArray("candidates")).hasSize(1);
      assertThat(evidence.get("leftOut").toString()).isEqualTo("{\"candidates\":1}");
    }
  }

  @Test
  void tool_invalidCall_returnsOneLineError() throws Exception {
    ReadOnlyAccount.grantRead(admin, "persistentvolumeclaims,pods,nodes", "storageclasses");
    try (McpSyncClient client = startClient("--mcp")) {
      client.initialize();
      assertThat(errorText(call(client, "explain", Map.of("kind", "pvc", "name", "../nodes/n1"))))
          .contains("invalid name of a PersistentVolumeClaim", "contains \"/\"");
      assertThat(
              errorText(
                  call(client, "explain", Map.of("kind", "pvc", "name", "a", "namespace", "a\nb"))))
          .contains("invalid name of a PersistentVolumeClaim");
      assertThat(errorText(call(client, "list_waiting", Map.of("namespace", "../default"))))
          .contains("invalid namespace");
      assertThat(errorText(call(client, "explain", Map.of("kind", "secret", "name", "a"))))
          .contains("kind", "pvc", "volumeattachment");
      assertThat(errorText(call(client, "explain", Map.of("kind", "pv", "name", "pv-a"))))
          .contains("cannot read PersistentVolume", "403");
      assertThat(errorText(call(client, "list_waiting", Map.of())))
          .contains("cannot list persistentvolumes in all namespaces", "403");
      assertThat(errorText(call(client, "reasons", Map.of("code", "Nonsense"))))
          .contains("unknown reason \"Nonsense\"");
    }
    assertThat(AuditEvent.read(folder.resolve("requests")))
        .noneMatch(event -> event.path().contains("..") || event.path().contains("secret"));
  }

  @Test
  void tool_reasons_comeFromCatalogue() throws Exception {
    try (McpSyncClient client = startClient("--mcp")) {
      client.initialize();
      JsonObject reasons = structuredContent(call(client, "reasons", Map.of()));
      assertThat(reasons.getAsJsonArray("items").size()).isGreaterThan(50);
      CallToolResult result = call(client, "reasons", Map.of("code", "NoVolume"));
      assertThat(text(result))
          .startsWith("NoVolume (")
          .contains("Remedy  create a suitable volume");
      assertThat(reasons.getAsJsonArray("items"))
          .contains(structuredContent(result).getAsJsonArray("items").get(0));
    }
    assertThat(AuditEvent.read(folder.resolve("requests")))
        .noneMatch(event -> event.userAgent().startsWith("mooring"));
  }

  @Test
  void tool_auditLog_returnsActions() throws Exception {
    grantReadAll();
    Path auditLog =
        Files.writeString(
            folder.resolve("audit.log"),
            """
            {"time":"2026-11-23T13:00:00.123456Z","controller":"persistentvolume-binder-controller","key":"default/data","decision":"Wait","did":"event","kind":"PersistentVolumeClaim","namespace":"default","name":"data","reason":"NoVolume","result":"emitted","ms":1.0}
            {"time":"2026-11-23T13:00:01.123456Z","controller":"persistentvolume-binder-controller","key":"default/data","decision":"Bind","did":"patch","kind":"PersistentVolumeClaim","namespace":"default","name":"data","result":"written","ms":1.0}
            """);
    try (McpSyncClient client = startClient("--mcp", "--audit-log=" + auditLog)) {
      client.initialize();
      assertThat(client.listTools().tools()).extracting(Tool::name).contains("timeline");
      CallToolResult actions = call(client, "timeline", Map.of("kind", "pvc", "name", "data"));
      assertThat(structuredContent(actions).getAsJsonArray("items")).hasSize(2);
      JsonObject lastAction =
          structuredContent(
              call(client, "timeline", Map.of("kind", "pvc", "name", "data", "last", 1)));
      assertThat(lastAction.get("earlier").getAsInt()).isEqualTo(1);
      assertThat(
              lastAction
                  .getAsJsonArray("items")
                  .get(0)
                  .getAsJsonObject()
                  .get("decision")
                  .getAsString())
          .isEqualTo("Bind");
      assertThat(text(call(client, "explain", Map.of("kind", "pvc", "name", "data"))))
          .contains("Done last");
      Files.delete(auditLog);
      assertThat(errorText(call(client, "timeline", Map.of("kind", "pv", "name", "pv-a"))))
          .contains("no such file");
    }
  }

  @Test
  void server_inputCloses_exitsWithoutOtherOutput() throws Exception {
    grantReadAll();
    Path input =
        Files.writeString(
            folder.resolve("in"),
            INITIALIZE_REQUESTS
                + """
                this is no message
                {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "explain", "arguments": {"kind": "pvc", "name": "data"}}}
                """);
    Path output = folder.resolve("out");
    Path errors = folder.resolve("errors");
    Process process =
        new ProcessBuilder(command(List.of("--limit-modules=" + IMAGE_MODULES), "--mcp"))
            .redirectInput(input.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(process.waitFor(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(errors)).isEmpty();
    assertThat(Files.readAllLines(output))
        .hasSize(3)
        .allSatisfy(line ->
            assertThat(JsonParser.parseString(line).getAsJsonObject().get("jsonrpc").getAsString())
                .isEqualTo("2.0"))
        .anySatisfy(line -> assertThat(line).contains("\"id\":2", "NoVolume"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pvc/data", "-A", "--watch", "--output=json"})
  void mcp_humanOptions_areRejected(String flag) throws Exception {
    CommandResult result = explain("--mcp", flag);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.errors())
        .startsWith("mooring: with --mcp, requests name the objects: omit ")
        .hasLineCount(2);
  }

  @Test
  void mcp_otherCommands_loadNoClass() throws Exception {
    grantReadAll();
    Path classLog = folder.resolve("loaded");
    Process process =
        new ProcessBuilder(
                command(
                    List.of(
                        "-Dmooring.training=true", // starts once and then handles requests
                        "-Xlog:class+load:file=" + classLog + ":none"),
                    "pvc/data"))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out").toFile())
            .start();
    assertThat(process.waitFor(TestWait.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(3);
    assertThat(Files.readString(classLog))
        .contains(
            "dev.mooring.manager.explain.ClusterAnswers", "dev.mooring.binder.BinderController")
        .doesNotContain(
            "io.modelcontextprotocol", "tools.jackson", "reactor.core", "com.networknt");
  }
}
