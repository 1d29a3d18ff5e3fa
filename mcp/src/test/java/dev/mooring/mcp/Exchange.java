package dev.mooring.mcp;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Output of a server for a given input.
 *
 * @param lines lines of output, parsed as JSON
 */
record Exchange(List<JsonNode> lines) {
  private static final String INITIALIZE =
      """
      {"jsonrpc": "2.0", "id": "begin", "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}\
      """;

  private static final String INITIALIZED =
      """
      {"jsonrpc": "2.0", "method": "notifications/initialized"}\
      """;

  /** Sends the initialization and these lines, then closes the input. */
  static Exchange of(ReadOnlyTool tool, String... messages) throws IOException {
    return raw(
        tool,
        new CountDownLatch(1),
        INITIALIZE + "\n" + INITIALIZED + "\n" + String.join("\n", messages));
  }

  /**
   * Sends the text unchanged.
   *
   * @param closed counted down when the server reaches the end of its input
   */
  static Exchange raw(ReadOnlyTool tool, CountDownLatch closed, String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    InputStream in =
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
          @Override
          public synchronized int read(byte[] buffer, int offset, int length) {
            int read = super.read(buffer, offset, length);
            if (read < 0) {
              closed.countDown();
            }
            return read;
          }
        };
    new ToolServer(new ToolServer.ServerInfo("mooring", "1.2.3", "Ask."), List.of(tool))
        .serve(in, out);
    return new Exchange(
        out.toString(StandardCharsets.UTF_8).lines().map(JsonMapper.shared()::readTree).toList());
  }

  JsonNode answerTo(String id) {
    return lines.stream()
        .filter(line -> line.path("id").isString() && line.get("id").asString().equals(id))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("no answer to " + id + " in " + lines));
  }

  /** A call of the tool {@code double}. */
  static String newCall(String id, String arguments) {
    return """
    {"jsonrpc": "2.0", "id": "%s", "method": "tools/call", "params": {"name": "double", "arguments": %s}}\
    """
        .formatted(id, arguments);
  }
}
