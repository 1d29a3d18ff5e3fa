package dev.mooring.kube.auth;

import dev.mooring.text.FileProblem;
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
public final class CredentialSource {
  private static final System.Logger LOG = System.getLogger(CredentialSource.class.getName());
  private static final long MAX_AGE = Duration.ofSeconds(50).toNanos();
  private static final long MIN_AGE = Duration.ofSeconds(1).toNanos();

  static final CredentialSource NONE = new CredentialSource("", null, null, false);

  private final String text;
  private final @Nullable Path file;
  private final @Nullable Time time;
  private final boolean isToken;
  private @Nullable String lastContent;
  private long readNanos;
  private boolean rereadRequested;
  private String lastWarning = "";

  private CredentialSource(String text, @Nullable Path file, @Nullable Time time, boolean isToken) {
    this.text = text;
    this.file = file;
    this.time = time;
    this.isToken = isToken;
  }

  static CredentialSource ofText(String text) {
    return new CredentialSource(text, null, null, false);
  }

  static CredentialSource ofFile(Path file, Time time) {
    return new CredentialSource("", file, time, false);
  }

  static CredentialSource ofTokenFile(Path file, Time time) {
    return new CredentialSource("", file, time, true);
  }

  static CredentialSource ofEntry(KubeConfigEntry entry, String name, Time time)
      throws KubeConfigException {
    String data = entry.getText(name + "-data");
    String path = entry.getText(name);
    if (!data.isEmpty()) {
      try {
        return ofText(new String(Base64.getMimeDecoder().decode(data), StandardCharsets.UTF_8));
      } catch (IllegalArgumentException e) {
        throw new KubeConfigException(
            entry + " has " + name + "-data that is not base64: write the PEM file in base64");
      }
    }
    return path.isEmpty() ? NONE : ofFile(Path.of(path), time);
  }

  boolean isNone() {
    return file == null && text.isEmpty();
  }

  public synchronized String get() throws CredentialsException {
    if (file == null || time == null) {
      return text;
    }
    long now = time.nanos();
    String previous = lastContent;
    if (previous != null && now - readNanos < (rereadRequested ? MIN_AGE : MAX_AGE)) {
      return previous;
    }
    try {
      String content = Files.readString(file).strip();
      if (content.isEmpty()) {
        throw new IOException("it is empty");
      }
      String flaw = isToken ? HeaderText.findFlaw(content) : "";
      if (!flaw.isEmpty()) {
        throw new IOException("it " + flaw);
      }
      lastContent = content;
      lastWarning = "";
    } catch (IOException | RuntimeException e) {
      logUnreadable(e, previous != null);
      if (previous == null) {
        throw new CredentialsException(file + " cannot be used (" + getReason(e) + ")");
      }
    }
    readNanos = now;
    rereadRequested = false;
    return lastContent == null ? "" : lastContent;
  }

  private void logUnreadable(Exception e, boolean hasPrevious) {
    String line =
        file
            + " cannot be used ("
            + getReason(e)
            + ")"
            + (hasPrevious ? "; using its previous content" : "");
    if (!line.equals(lastWarning)) {
      lastWarning = line;
      LOG.log(Level.WARNING, () -> line);
    }
  }

  private static String getReason(Exception e) {
    return e instanceof java.nio.file.NoSuchFileException
        ? "it does not exist"
        : FileProblem.describe(e);
  }

  /**
   * Requests an early read of the file, at most once a second, because the server rejected its
   * content.
   */
  public synchronized void requestReread() {
    rereadRequested = true;
  }
}
