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
  /** Reads the log so far, without a line that is still being written. */
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
    byte[] all = Files.readAllBytes(log);
    int from = (int) position;
    while (from > 0 && from < all.length && all[from - 1] != '\n') {
      from++; // skip the line that contains the position
    }
    String text = new String(all, from, all.length - from, StandardCharsets.UTF_8);
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

  /** Returns whether the request is not a test's own. */
  public boolean isOfController() {
    return !userAgent.startsWith("Java-http-client");
  }

  @Override
  public String toString() {
    return verb + " " + uri;
  }
}
