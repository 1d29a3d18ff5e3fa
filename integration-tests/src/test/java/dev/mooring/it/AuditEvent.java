package dev.mooring.it;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A request as the server's audit log tells of it.
 *
 * @param verb what was asked for, for example {@code get} or {@code patch}
 * @param uri of what, with the query
 * @param userAgent by whom
 * @param code how it was answered
 */
public record AuditEvent(String verb, String uri, String userAgent, int code) {
  /** All that stands in that log so far. A line that is being written is not taken. */
  public static List<AuditEvent> read(Path log) throws IOException {
    return read(log, 0);
  }

  /** What was begun after that byte of the log; nothing if there is no log yet. */
  static List<AuditEvent> read(Path log, long position) throws IOException {
    if (!Files.exists(log)) {
      return List.of();
    }
    byte[] all = Files.readAllBytes(log);
    int from = (int) position;
    while (from > 0 && from < all.length && all[from - 1] != '\n') {
      from++; // that line had been begun before
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

  /** The path alone. */
  public String path() {
    return uri.split("[?]", 2)[0];
  }

  /** Not one of a test's own requests. */
  public boolean isOfController() {
    return !userAgent.startsWith("Java-http-client");
  }

  @Override
  public String toString() {
    return verb + " " + uri;
  }
}
