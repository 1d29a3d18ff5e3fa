package dev.mooring.apiserver.http.route;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.http.request.Exchange;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who asked for what, one line of JSON for each request, in the format of Kubernetes' audit log at
 * the level {@code Metadata}: for finding out what a controller does to a server. A watch is
 * written down when it begins, everything else, and a watch that is not let in, just before it is
 * answered, so that who has the answer finds the line. Thread-safe.
 */
public final class RequestAudit implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RequestAudit.class.getName());

  private final @Nullable OutputStream out; // null writes nothing
  private boolean closed;

  private RequestAudit(@Nullable OutputStream out) {
    this.out = out;
  }

  /**
   * Appends to that file; null writes nothing down.
   *
   * @throws IOException if the file cannot be written
   */
  public static RequestAudit to(@Nullable Path file) throws IOException {
    return new RequestAudit(
        file == null
            ? null
            : Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
  }

  /** Writes a request down. */
  void note(Exchange exchange, String verb, String stage, int code) {
    OutputStream file = out;
    if (file == null) {
      return;
    }
    JsonObject line = new JsonObject();
    line.addProperty("kind", "Event");
    line.addProperty("apiVersion", "audit.k8s.io/v1");
    line.addProperty("level", "Metadata");
    line.addProperty("auditID", UUID.randomUUID().toString());
    line.addProperty("stage", stage);
    line.addProperty("requestURI", exchange.uri());
    line.addProperty("verb", verb);
    line.addProperty("userAgent", exchange.header("User-Agent"));
    JsonObject status = new JsonObject();
    status.addProperty("code", code);
    line.add("responseStatus", status);
    line.addProperty("stageTimestamp", Instant.now().truncatedTo(ChronoUnit.MICROS).toString());
    try {
      synchronized (this) {
        if (!closed) {
          // unbuffered: who follows the file sees a line whole or not at all
          file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        }
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the audit log cannot be written", e);
    }
  }

  @Override
  public void close() throws IOException {
    if (out != null) {
      synchronized (this) {
        closed = true;
        out.close();
      }
    }
  }
}
