package dev.mooring.kube.auth;

import dev.mooring.time.Time;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Token, certificate or key: inline in the kubeconfig, or in a file. A file is read again every 50
 * s, as in client-go, and after a rejection by the server. If it cannot be read, the previous
 * content stays in use. Thread-safe.
 */
final class CredentialSource {
  private static final System.Logger LOG = System.getLogger(CredentialSource.class.getName());
  private static final long MAX_AGE = Duration.ofSeconds(50).toNanos();
  private static final long MIN_AGE = Duration.ofSeconds(1).toNanos();

  static final CredentialSource NONE = new CredentialSource("", null, null);

  private final String text;
  private final @Nullable Path file;
  private final @Nullable Time time;
  private @Nullable String read;
  private long readAt;
  private boolean rereadRequested;
  private String lastWarning = "";

  private CredentialSource(String text, @Nullable Path file, @Nullable Time time) {
    this.text = text;
    this.file = file;
    this.time = time;
  }

  static CredentialSource of(String text) {
    return new CredentialSource(text, null, null);
  }

  static CredentialSource in(Path file, Time time) {
    return new CredentialSource("", file, time);
  }

  static CredentialSource of(KubeConfigEntry entry, String name, Time time)
      throws KubeConfigException {
    String data = entry.text(name + "-data");
    String path = entry.text(name);
    if (!data.isEmpty()) {
      try {
        return of(new String(Base64.getMimeDecoder().decode(data), StandardCharsets.UTF_8));
      } catch (IllegalArgumentException e) {
        throw new KubeConfigException(
            entry + " has " + name + "-data that is not base64: write the PEM file in base64");
      }
    }
    return path.isEmpty() ? NONE : in(Path.of(path), time);
  }

  boolean isNone() {
    return file == null && text.isEmpty();
  }

  synchronized String get() throws CredentialsException {
    if (file == null || time == null) {
      return text;
    }
    long now = time.nanos();
    String last = read;
    if (last != null && now - readAt < (rereadRequested ? MIN_AGE : MAX_AGE)) {
      return last;
    }
    try {
      String fresh = Files.readString(file).strip();
      if (fresh.isEmpty()) {
        throw new IOException("it is empty");
      }
      read = fresh;
      lastWarning = "";
    } catch (IOException | RuntimeException e) {
      warn(e, last != null);
      if (last == null) {
        throw new CredentialsException(file + " cannot be read (" + reason(e) + ")");
      }
    }
    readAt = now;
    rereadRequested = false;
    return read == null ? "" : read;
  }

  private void warn(Exception e, boolean kept) {
    String line =
        file + " cannot be read (" + reason(e) + ")" + (kept ? "; using its previous content" : "");
    if (!line.equals(lastWarning)) {
      lastWarning = line;
      LOG.log(Level.WARNING, () -> line);
    }
  }

  private static String reason(Exception e) {
    return e instanceof java.nio.file.NoSuchFileException
        ? "it does not exist"
        : String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /**
   * Requests an early read of the file, at most once a second, because the server rejected its
   * content.
   */
  synchronized void requestReread() {
    rereadRequested = true;
  }
}
