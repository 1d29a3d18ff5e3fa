package dev.mooring.apiserver.http.route;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.http.request.RequestExchange;
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
 * Writes one line of JSON per request in the format of Kubernetes' audit log, level {@code
 * Metadata}.
 *
 * <p>A successful watch is logged when it starts. Every other request is logged just before its
 * answer, so that a client that has the answer finds the line. Thread-safe.
 */
public final class RequestAudit implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RequestAudit.class.getName());

  private final @Nullable OutputStream out; // null: disabled
  private boolean isClosed;

  private RequestAudit(@Nullable OutputStream out) {
    this.out = out;
  }

  /**
   * Appends to the file; null disables the log.
   *
   * @throws IOException if the file is not writable; the message names it, the cause and the remedy
   */
  public static RequestAudit open(@Nullable Path file) throws IOException {
    if (file == null) {
      return new RequestAudit(null);
    }
    try {
      return new RequestAudit(
          Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    } catch (IOException e) {
      throw new IOException(
          "audit log %s cannot be written (%s): choose a file in a writable directory"
              .formatted(file, e.getClass().getSimpleName()),
          e);
    }
  }

  void logRequest(RequestExchange exchange, String verb, String stage, int code) {
    OutputStream file = out;
    if (file == null) {
      return;
    }
    JsonObject line = newObject("kind", "Event", "apiVersion", "audit.k8s.io/v1");
    line.addProperty("level", "Metadata");
    line.addProperty("auditID", UUID.randomUUID().toString());
    line.addProperty("stage", stage);
    line.addProperty("requestURI", exchange.uri());
    line.addProperty("verb", verb);
    line.addProperty("userAgent", exchange.getHeader("User-Agent"));
    line.add("responseStatus", newObject("code", code));
    line.addProperty("stageTimestamp", Instant.now().truncatedTo(ChronoUnit.MICROS).toString());
    try {
      synchronized (this) {
        if (!isClosed) {
          // unbuffered: readers of the file see complete lines only
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
        isClosed = true;
        out.close();
      }
    }
  }
}
