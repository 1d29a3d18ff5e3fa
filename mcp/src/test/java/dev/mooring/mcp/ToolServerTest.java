package dev.mooring.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ToolServerTest {
  private static final int PARSE_ERROR = -32700;
  private static final int INVALID_REQUEST = -32600;
  private static final int INVALID_PARAMS = -32602;

  private static final JsonMapper JSON = JsonMapper.shared();

  private final AtomicInteger calls = new AtomicInteger();

  private ReadOnlyTool doublingTool(ReadOnlyTool.Handler handler) {
    return new ReadOnlyTool(
        "double",
        "Twice that",
        "Doubles a number.",
        """
        {"type": "object", "additionalProperties": false, "required": ["number"], "properties": {"number": {"type": "integer", "maximum": 1000}, "unit": {"type": "string"}}}\
        """,
        """
        {"type": "object", "required": ["twice"], "properties": {"twice": {"type": "integer"}}}\
        """,
        handler);
  }

  private ReadOnlyTool doublingTool() {
    return doublingTool(arguments -> {
      calls.incrementAndGet();
      int twice = 2 * arguments.number("number", 0);
      return new ToolAnswer.Answered(
          twice + arguments.text("unit", "m"), "{\"twice\": %d}".formatted(twice));
    });
  }

  private static String requireRefusal(JsonNode answer) {
    assertThat(answer.at("/result/isError").asBoolean()).isTrue();
    assertThat(answer.at("/result/structuredContent").isMissingNode()).isTrue();
    String text = answer.at("/result/content/0/text").asString();
    assertThat(text.lines()).hasSize(1);
    return text;
  }

  @Test
  void list_doublingTool_isAnnouncedAsReadOnly() throws Exception {
    Exchange exchange =
        Exchange.of(
            doublingTool(), "{\"jsonrpc\": \"2.0\", \"id\": \"list\", \"method\": \"tools/list\"}");
    JsonNode server = exchange.answerTo("begin").get("result");
    assertThat(server.get("protocolVersion").asString()).isEqualTo("2025-06-18");
    assertThat(server.at("/serverInfo/name").asString()).isEqualTo("mooring");
    assertThat(server.at("/serverInfo/version").asString()).isEqualTo("1.2.3");
    assertThat(server.get("instructions").asString()).isEqualTo("Ask.");
    assertThat(server.at("/capabilities/tools").isObject()).isTrue();
    assertThat(server.at("/capabilities/prompts").isMissingNode()).isTrue();
    JsonNode tool = exchange.answerTo("list").at("/result/tools/0");
    assertThat(tool.get("name").asString()).isEqualTo("double");
    assertThat(tool.at("/inputSchema/additionalProperties").asBoolean(true)).isFalse();
    assertThat(tool.at("/outputSchema/required/0").asString()).isEqualTo("twice");
    JsonNode hints = tool.get("annotations");
    assertThat(hints.get("readOnlyHint").asBoolean()).isTrue();
    assertThat(hints.get("idempotentHint").asBoolean()).isTrue();
    assertThat(hints.get("destructiveHint").asBoolean(true)).isFalse();
    assertThat(hints.get("openWorldHint").asBoolean(true)).isFalse();
  }

  @Test
  void call_validArguments_returnsTextAndStructuredContent() throws Exception {
    JsonNode answer =
        Exchange.of(doublingTool(), Exchange.newCall("a", "{\"number\": 21, \"unit\": \"km\"}"))
            .answerTo("a");
    assertThat(answer.at("/result/isError").asBoolean()).isFalse();
    assertThat(answer.at("/result/content/0/text").asString()).isEqualTo("42km");
    assertThat(answer.at("/result/structuredContent/twice").asInt()).isEqualTo(42);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"number\": \"21\"}",
        "{\"number\": 2000}",
        "{\"number\": 1, \"unit\": null}",
        "{\"number\": 1, \"delete\": true}"
      })
  void call_invalidArguments_isRefusedBeforeHandler(String arguments) throws Exception {
    assertThat(
            requireRefusal(
                Exchange.of(doublingTool(), Exchange.newCall("a", arguments)).answerTo("a")))
        .contains("double", "input validation failed");
    assertThat(calls).hasValue(0);
  }

  @Test
  void call_refusedByTool_returnsReason() throws Exception {
    ReadOnlyTool tool = doublingTool(arguments -> new ToolAnswer.Refused("unknown number"));
    assertThat(
            requireRefusal(
                Exchange.of(tool, Exchange.newCall("a", "{\"number\": 1}")).answerTo("a")))
        .isEqualTo("unknown number");
  }

  /**
   * A tenant can hide instructions for a model in an annotation: control, bidi, zero width, tags.
   */
  @ParameterizedTest
  @ValueSource(strings = {"\\u009b", "\\u202e", "\\u200b", "\\udb40\\udc41", "\\u001b"})
  void call_hiddenCharacters_areFiltered(String hidden) throws Exception {
    String raw = Character.toString(JSON.readTree("\"" + hidden + "\"").asString().codePointAt(0));
    ReadOnlyTool tool =
        new ReadOnlyTool(
            "double",
            "t",
            "d",
            "{\"type\": \"object\"}",
            "{\"type\": \"object\"}",
            arguments -> new ToolAnswer.Answered("a" + raw, "{\"n\": [\"b" + hidden + "\"]}"));
    JsonNode answer = Exchange.of(tool, Exchange.newCall("a", "{}")).answerTo("a");
    assertThat(answer.at("/result/content/0/text").asString()).isEqualTo("a\ufffd");
    assertThat(answer.at("/result/structuredContent/n/0").asString()).isEqualTo("b\ufffd");
    ReadOnlyTool refusingTool = doublingTool(arguments -> new ToolAnswer.Refused("no" + raw));
    assertThat(
            requireRefusal(
                Exchange.of(refusingTool, Exchange.newCall("a", "{\"number\": 1}")).answerTo("a")))
        .isEqualTo("no\ufffd");
  }

  @Test
  void call_toolThrows_returnsOneLineWithoutTrace() throws Exception {
    ReadOnlyTool tool =
        doublingTool(arguments -> {
          throw new IllegalStateException("first\nat second");
        });
    Exchange exchange =
        Exchange.of(
            tool,
            Exchange.newCall("a", "{\"number\": 1}"),
            Exchange.newCall("b", "{\"number\": 1}"));
    assertThat(requireRefusal(exchange.answerTo("a"))).endsWith("first").contains("internal error");
    assertThat(requireRefusal(exchange.answerTo("b"))).endsWith("first");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not a message",
        "{\"jsonrpc\": \"2.0\", \"id\": 1",
        "[]",
        "{}",
        "7",
        "null",
        "{\"jsonrpc\": \"2.0\", \"id\": null, \"method\": \"tools/list\"}",
        "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"tools/list\"}",
        "\u0000\u0001\ufffd"
      })
  void line_malformed_isAnsweredAndSkipped(String junk) throws Exception {
    Exchange exchange =
        Exchange.of(doublingTool(), junk, "", Exchange.newCall("a", "{\"number\": 21}"));
    assertThat(exchange.answerTo("a").at("/result/structuredContent/twice").asInt()).isEqualTo(42);
    assertThat(exchange.lines()).hasSize(3);
    assertThat(exchange.lines().stream().filter(line -> line.has("error")))
        .singleElement()
        .satisfies(line -> {
          assertThat(line.get("id").isNull()).isTrue();
          assertThat(line.at("/error/code").asInt()).isEqualTo(PARSE_ERROR);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":", "{\"method\": \"x\", \"id\": 1, \"params\": {\"a\":"})
  void line_deeplyNested_isSkipped(String open) throws Exception {
    Exchange exchange =
        Exchange.of(doublingTool(), open.repeat(20_000), Exchange.newCall("a", "{\"number\": 21}"));
    assertThat(exchange.answerTo("a").at("/result/structuredContent/twice").asInt()).isEqualTo(42);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"method\": \"tools/call\"",
        "\"method\": \"tools/call\", \"params\": 7",
        "\"method\": \"tools/call\", \"params\": {\"name\": \"double\", \"arguments\": []}",
        "\"method\": \"initialize\""
      })
  void request_malformedParameters_returnsOneLine(String request) throws Exception {
    Exchange exchange =
        Exchange.of(doublingTool(), "{\"jsonrpc\": \"2.0\", \"id\": \"a\", " + request + "}");
    assertThat(exchange.answerTo("a").at("/error/code").asInt()).isEqualTo(INVALID_PARAMS);
    assertThat(exchange.answerTo("a").at("/error/message").asString())
        .isEqualTo("the request's parameters do not conform to the protocol");
    assertThat(exchange.answerTo("a").at("/error/data").isMissingNode()).isTrue();
  }

  @Test
  void line_randomlyMangled_doesNotStopServer() throws Exception {
    Random random = new Random(1);
    String[] lines = new String[5_001];
    Arrays.setAll(lines, i -> mangle(Exchange.newCall("m" + i, "{\"number\": 21}"), random));
    lines[lines.length - 1] = Exchange.newCall("last", "{\"number\": 21}");
    Exchange exchange = Exchange.of(doublingTool(), lines);
    assertThat(exchange.answerTo("last").at("/result/structuredContent/twice").asInt())
        .isEqualTo(42);
    assertThat(exchange.lines())
        .hasSizeLessThanOrEqualTo(1 + lines.length)
        .allSatisfy(line -> assertThat(line.get("jsonrpc").asString()).isEqualTo("2.0"))
        .allSatisfy(line -> assertThat(line.toString()).doesNotContain("\\tat ", "Caused by"));
  }

  /** Changes, removes or duplicates one to three characters. */
  private static String mangle(String line, Random random) {
    StringBuilder text = new StringBuilder(line);
    for (int i = random.nextInt(3); i >= 0; i--) {
      int index = random.nextInt(text.length());
      switch (random.nextInt(3)) {
        case 0 -> text.setCharAt(index, "{}[]\",:0x\u0000\ud800".charAt(random.nextInt(11)));
        case 1 -> text.deleteCharAt(index);
        default -> text.insert(index, text.charAt(index));
      }
    }
    return text.toString();
  }

  @Test
  void line_oversized_isRefused() throws Exception {
    Exchange exchange =
        Exchange.of(
            doublingTool(),
            Exchange.newCall("long", "{\"number\": 1, \"unit\": \"" + "x".repeat(2 << 20) + "\"}"),
            Exchange.newCall("a", "{\"number\": 21}"));
    assertThat(exchange.answerTo("a").at("/result/structuredContent/twice").asInt()).isEqualTo(42);
    assertThat(exchange.lines().stream().filter(line -> line.has("error")))
        .singleElement()
        .satisfies(line -> assertThat(line.at("/error/code").asInt()).isEqualTo(INVALID_REQUEST));
    assertThat(calls).hasValue(1);
  }

  @Test
  void call_runningAtEndOfInput_isAnswered() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    ReadOnlyTool tool =
        doublingTool(arguments -> {
          closed.await();
          return new ToolAnswer.Answered("late", "{\"twice\": 2}");
        });
    String initialization =
        """
        {"jsonrpc": "2.0", "id": "begin", "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}
        {"jsonrpc": "2.0", "method": "notifications/initialized"}
        """;
    Exchange exchange =
        Exchange.raw(
            tool,
            closed,
            initialization
                + Exchange.newCall("a", "{\"number\": 1}")
                + "\n{\"jsonrpc\": \"2.0\", \"id\": \"p\", \"method\": \"ping\"}\n");
    assertThat(exchange.answerTo("a").at("/result/content/0/text").asString()).isEqualTo("late");
    assertThat(exchange.lines())
        .as("pings are answered while a tool runs")
        .extracting(line -> line.get("id").asString())
        .containsExactly("begin", "p", "a");
  }

  @Test
  void call_thousandCalls_runSequentially() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger maxRunning = new AtomicInteger();
    ReadOnlyTool tool =
        doublingTool(arguments -> {
          maxRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
          Thread.yield();
          running.decrementAndGet();
          return new ToolAnswer.Answered("", "{\"twice\": %d}".formatted(calls.incrementAndGet()));
        });
    String[] messages = new String[1000];
    Arrays.setAll(messages, i -> Exchange.newCall("a" + i, "{\"number\": 1}"));
    Exchange exchange = Exchange.of(tool, messages);
    assertThat(exchange.lines()).hasSize(1 + messages.length);
    assertThat(calls).hasValue(messages.length);
    assertThat(maxRunning).hasValue(1);
  }

  @Test
  void request_beforeInitialize_isRefused() throws Exception {
    Exchange exchange =
        Exchange.raw(
            doublingTool(),
            new CountDownLatch(1),
            Exchange.newCall("a", "{\"number\": 1}")
                + "\n{\"jsonrpc\": \"2.0\", \"id\": \"p\", \"method\": \"ping\"}\n");
    assertThat(exchange.answerTo("a").at("/error/code").asInt()).isEqualTo(INVALID_REQUEST);
    assertThat(exchange.answerTo("a").at("/error/message").asString()).contains("initialize");
    assertThat(exchange.answerTo("p").get("result").isObject()).isTrue();
    assertThat(calls).hasValue(0);
  }

  @Test
  void request_unknownToolOrMethod_returnsError() throws Exception {
    Exchange exchange =
        Exchange.of(
            doublingTool(),
            Exchange.newCall("tool", "{\"number\": 1}").replace("\"double\"", "\"delete\""),
            "{\"jsonrpc\": \"2.0\", \"id\": \"method\", \"method\": \"resources/list\"}",
            "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": {}}",
            "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/roots/list_changed\"}");
    assertThat(exchange.answerTo("tool").has("error")).isTrue();
    assertThat(exchange.answerTo("method").at("/error/message").asString())
        .contains("resources/list");
    assertThat(exchange.lines()).hasSize(3);
  }
}
