package dev.mooring.kube.auth;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.mooring.kube.auth.Credentials.CredentialSet;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
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

record ExecPlugin(
    String version,
    String command,
    List<String> arguments,
    Map<String, String> environment,
    boolean isInteractive,
    @Nullable JsonObject cluster,
    String hint) {
  static final List<String> VERSIONS =
      List.of("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1");

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int MAX_OUTPUT = 1 << 20;

  record PluginCredentials(CredentialSet credentials, @Nullable Instant expiry) {}

  PluginCredentials run() throws IOException {
    List<String> commandLine = new ArrayList<>();
    commandLine.add(command);
    commandLine.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(commandLine);
    builder.environment().putAll(environment);
    builder.environment().put("KUBERNETES_EXEC_INFO", makeExecInfo());
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    if (isInteractive) {
      builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
    }
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw makeFailure(
          "cannot be started"
              + (hint.isEmpty() ? ": is it installed?" : ": " + getFirstLine(hint)));
    }
    return readAnswer(process);
  }

  private CredentialsException makeFailure(String problem) {
    return new CredentialsException("credential plugin " + command + " " + problem);
  }

  private static String getFirstLine(String text) {
    return text.strip().lines().findFirst().orElse("");
  }

  private String makeExecInfo() {
    JsonObject spec = new JsonObject();
    spec.addProperty("interactive", isInteractive);
    if (cluster != null) {
      spec.add("cluster", cluster);
    }
    JsonObject execInfo = new JsonObject();
    execInfo.addProperty("kind", "ExecCredential");
    execInfo.addProperty("apiVersion", version);
    execInfo.add("spec", spec);
    return execInfo.toString();
  }

  private PluginCredentials readAnswer(Process process) throws IOException {
    AtomicReference<byte[]> output = new AtomicReference<>(new byte[0]);
    Thread readerThread =
        Thread.ofVirtual()
            .name("credential plugin")
            .start(() -> {
              try (InputStream out = process.getInputStream()) {
                output.set(out.readNBytes(MAX_OUTPUT));
              } catch (IOException e) {
                // the exit code is more informative
              }
            });
    try {
      if (!isInteractive) {
        process.getOutputStream().close();
      }
      if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        throw makeFailure("has not answered for " + TIMEOUT.toSeconds() + " s");
      }
      readerThread.join(TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for " + command);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw makeFailure("failed with exit code " + process.exitValue());
    }
    return parse(new String(output.get(), StandardCharsets.UTF_8));
  }

  private PluginCredentials parse(String text) throws CredentialsException {
    JsonObject answer;
    try {
      answer = JsonParser.parseString(text).getAsJsonObject();
    } catch (JsonParseException | IllegalStateException e) {
      throw makeFailure("printed no ExecCredential");
    }
    String answeredVersion = getText(answer, "apiVersion");
    if (!answeredVersion.equals(version)) {
      throw makeFailure(
          "answered with apiVersion \"" + answeredVersion + "\" instead of " + version);
    }
    if (!(answer.get("status") instanceof JsonObject status)) {
      throw makeFailure("answered without a status");
    }
    String token = getText(status, "token");
    String certificate = getText(status, "clientCertificateData");
    String key = getText(status, "clientKeyData");
    if (certificate.isEmpty() != key.isEmpty()) {
      throw makeFailure("answered with a certificate or a key, but not both");
    }
    String flaw = HeaderText.findFlaw(token);
    if (!flaw.isEmpty()) {
      throw makeFailure("answered with a token that " + flaw);
    }
    if (token.isEmpty() && certificate.isEmpty()) {
      throw makeFailure("answered with neither a token nor a certificate");
    }
    checkCertificate(certificate, key);
    return new PluginCredentials(
        new CredentialSet(token.isEmpty() ? "" : "Bearer " + token, certificate, key),
        parseExpiry(getText(status, "expirationTimestamp")));
  }

  // An unusable certificate is a failure of this run: it must not replace usable credentials.
  private void checkCertificate(String certificate, String key) throws CredentialsException {
    if (certificate.isEmpty()) {
      return;
    }
    try {
      TlsCertificates.keyManagersFor(certificate, key);
    } catch (IOException | GeneralSecurityException e) {
      throw makeFailure("answered with an unusable certificate or key: " + e.getMessage());
    }
  }

  private @Nullable Instant parseExpiry(String text) throws CredentialsException {
    if (text.isEmpty()) {
      return null;
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      throw makeFailure("answered with an invalid expirationTimestamp: " + text);
    }
  }

  private static String getText(JsonObject object, String name) {
    return object.has(name) && object.get(name).isJsonPrimitive()
        ? object.get(name).getAsString()
        : "";
  }
}
