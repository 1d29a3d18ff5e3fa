package dev.mooring.mcp;

import dev.mooring.text.PlainText;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.jackson3.DefaultJsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.json.JsonMapper;

/**
 * Model Context Protocol server for one client on a pair of streams. Offers tools only. Processes
 * calls sequentially, so that at most one answer is in memory.
 */
public final class ToolServer {
  private static final System.Logger LOG = System.getLogger(ToolServer.class.getName());

  public record ServerInfo(String name, String version, String instructions) {}

  private final ServerInfo description;
  private final List<ReadOnlyTool> tools;
  private final McpJsonMapper json = new JacksonMcpJsonMapper(JsonMapper.shared());
  private final ReentrantLock lock = new ReentrantLock(true);

  public ToolServer(ServerInfo description, List<ReadOnlyTool> tools) {
    this.description = description;
    this.tools = List.copyOf(tools);
  }

  /**
   * Answers requests until the input has ended and all requests are answered. A malformed line gets
   * a JSON-RPC error and has no other effect.
   *
   * @param in messages, one a line; not closed
   * @param out answers, one a line, and nothing else; not closed
   * @throws IOException if reading or writing fails
   */
  public void serve(InputStream in, OutputStream out) throws IOException {
    StdioTransport transport = new StdioTransport(json, in, out);
    McpSyncServer server =
        McpServer.sync(transport)
            .jsonMapper(json)
            .jsonSchemaValidator(new DefaultJsonSchemaValidator())
            .serverInfo(description.name(), description.version())
            .instructions(description.instructions())
            .capabilities(McpSchema.ServerCapabilities.builder().tools(false).build())
            .validateToolInputs(true)
            .tools(tools.stream().map(this::specification).toList())
            .build();
    try {
      transport.serve();
    } finally {
      server.close();
    }
  }

  private SyncToolSpecification specification(ReadOnlyTool tool) {
    return SyncToolSpecification.builder()
        .tool(
            McpSchema.Tool.builder(tool.name(), json, tool.input())
                .title(tool.title())
                .description(tool.description())
                .outputSchema(json, tool.output())
                .annotations(
                    ToolAnnotations.builder()
                        .title(tool.title())
                        .readOnlyHint(true)
                        .destructiveHint(false)
                        .idempotentHint(true)
                        .openWorldHint(false)
                        .build())
                .build())
        .callHandler((exchange, request) -> toResult(tool, request.arguments()))
        .build();
  }

  private CallToolResult toResult(ReadOnlyTool tool, Map<String, Object> arguments) {
    return switch (answer(tool, new ToolArguments(arguments == null ? Map.of() : arguments))) {
      case ToolAnswer.Answered(String text, String content) ->
          CallToolResult.builder(content(text))
              .structuredContent(PlainText.filterTree(parseTree(content)))
              .isError(false)
              .build();
      case ToolAnswer.Refused(String message) ->
          CallToolResult.builder(content(message)).isError(true).build();
    };
  }

  private Map<String, Object> parseTree(String content) {
    try {
      return json.readValue(content, new TypeRef<Map<String, Object>>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Removes invisible characters: the reader may be a model, and must not see more than a person.
   */
  private static List<McpSchema.Content> content(String text) {
    return List.of(McpSchema.TextContent.builder(PlainText.filter(text)).build());
  }

  private ToolAnswer answer(ReadOnlyTool tool, ToolArguments arguments) {
    try {
      lock.lockInterruptibly();
      try {
        return tool.handler().answer(arguments);
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new ToolAnswer.Refused("the server is stopping");
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "Bug: tool failed: " + tool.name(), e);
      return new ToolAnswer.Refused(
          "internal error, please report it: "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }
}
