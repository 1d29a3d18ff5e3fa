package dev.mooring.kube.auth;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.mooring.kube.auth.Credentials.Shown;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A program that answers with credentials, as client.authentication.k8s.io says.
 *
 * @param version its apiVersion, v1 or v1beta1
 * @param command its path, or a name to be found on the PATH
 * @param arguments what follows it
 * @param environment added to our own
 * @param interactive whether it may speak with whoever sits at the terminal
 * @param cluster what it is told of the cluster, null for nothing
 * @param hint what to do where it is not installed, "" if nobody knows
 */
record ExecPlugin(
    String version,
    String command,
    List<String> arguments,
    Map<String, String> environment,
    boolean interactive,
    @Nullable JsonObject cluster,
    String hint) {
  static final List<String> VERSIONS =
      List.of("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1");

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int LARGEST = 1 << 20;

  /**
   * What it answered.
   *
   * @param shown the credentials
   * @param end when they are over, null if it does not say
   */
  record Result(Shown shown, @Nullable Instant end) {}

  Result run() throws IOException {
    List<String> line = new ArrayList<>();
    line.add(command);
    line.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().putAll(environment);
    builder.environment().put("KUBERNETES_EXEC_INFO", question());
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    if (interactive) {
      builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
    }
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw failed(
          "cannot be started" + (hint.isEmpty() ? ": is it installed?" : ": " + firstLine(hint)));
    }
    return answered(process);
  }

  private CredentialsException failed(String what) {
    return new CredentialsException("credential plugin " + command + " " + what);
  }

  private static String firstLine(String text) {
    return text.strip().lines().findFirst().orElse("");
  }

  private String question() {
    JsonObject spec = new JsonObject();
    spec.addProperty("interactive", interactive);
    if (cluster != null) {
      spec.add("cluster", cluster);
    }
    JsonObject question = new JsonObject();
    question.addProperty("kind", "ExecCredential");
    question.addProperty("apiVersion", version);
    question.add("spec", spec);
    return question.toString();
  }

  private Result answered(Process process) throws IOException {
    AtomicReference<byte[]> said = new AtomicReference<>(new byte[0]);
    Thread reading =
        Thread.ofVirtual()
            .name("credential plugin")
            .start(() -> {
              try (InputStream out = process.getInputStream()) {
                said.set(out.readNBytes(LARGEST));
              } catch (IOException ended) {
                // its exit code says more
              }
            });
    try {
      if (!interactive) {
        process.getOutputStream().close();
      }
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw failed("has not answered for " + PATIENCE.toSeconds() + " s");
      }
      reading.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for " + command);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw failed("failed with exit code " + process.exitValue());
    }
    return parsed(new String(said.get(), StandardCharsets.UTF_8));
  }

  private Result parsed(String text) throws CredentialsException {
    JsonObject answer;
    try {
      answer = JsonParser.parseString(text).getAsJsonObject();
    } catch (JsonParseException | IllegalStateException e) {
      throw failed("printed no ExecCredential");
    }
    String answered = text(answer, "apiVersion");
    if (!answered.equals(version)) {
      throw failed("answered with apiVersion \"" + answered + "\" instead of " + version);
    }
    if (!(answer.get("status") instanceof JsonObject status)) {
      throw failed("answered without a status");
    }
    String token = text(status, "token");
    String certificate = text(status, "clientCertificateData");
    String key = text(status, "clientKeyData");
    if (certificate.isEmpty() != key.isEmpty()) {
      throw failed("answered with only one of a certificate and its key");
    }
    if (token.isEmpty() && certificate.isEmpty()) {
      throw failed("answered with neither a token nor a certificate");
    }
    return new Result(
        new Shown(token.isEmpty() ? "" : "Bearer " + token, certificate, key),
        end(text(status, "expirationTimestamp")));
  }

  private @Nullable Instant end(String text) throws CredentialsException {
    if (text.isEmpty()) {
      return null;
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      throw failed("answered with an expirationTimestamp that is no time: " + text);
    }
  }

  private static String text(JsonObject object, String name) {
    return object.has(name) && object.get(name).isJsonPrimitive()
        ? object.get(name).getAsString()
        : "";
  }
}
