package dev.mooring.it;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A request in the server's audit log.
 *
 * @param verb Kubernetes verb, for example {@code get} or {@code patch}
 * @param uri with the query
 * @param userAgent of the client
 * @param code status code of the response
 */
public record AuditEvent(String verb, String uri, String userAgent, int code) {
  /** Reads the current log, without an unfinished last line. */
  public static List<AuditEvent> read(Path log) throws IOException {
    return read(log, 0);
  }

  /**
   * Reads lines that begin after the byte {@code position}; empty if the log does not exist yet.
   */
  static List<AuditEvent> read(Path log, long position) throws IOException {
    if (!Files.exists(log)) {
      return List.of();
    }
    byte[] bytes = Files.readAllBytes(log);
    int start = (int) position;
    while (start > 0 && start < bytes.length && bytes[start - 1] != '\n') {
      start++; // skips the rest of the line at the position
    }
    String text = new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(AuditEvent::parse).toList();
  }

  private static AuditEvent parse(String line) {
    JsonObject event = JsonParser.parseString(line).getAsJsonObject();
    return new AuditEvent(
        event.get("verb").getAsString(),
        event.get("requestURI").getAsString(),
        event.get("userAgent").getAsString(),
        event.getAsJsonObject("responseStatus").get("code").getAsInt());
  }

  public String path() {
    return uri.split("[?]", 2)[0];
  }

  /** Returns whether a controller sent the request, not a test. */
  public boolean isOfController() {
    return !userAgent.startsWith("Java-http-client");
  }

  @Override
  public String toString() {
    return verb + " " + uri;
  }
}
