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
 * A token, a certificate or a key: as it stands in the kubeconfig, or in a file, which is read
 * again every 50 s as client-go does, and when somebody doubts it. A file that cannot be read again
 * leaves what was read before. Thread-safe.
 */
final class Material {
  private static final System.Logger LOG = System.getLogger(Material.class.getName());
  private static final long FRESH = Duration.ofSeconds(50).toNanos();
  private static final long DOUBTED = Duration.ofSeconds(1).toNanos();

  static final Material NONE = new Material("", null, null);

  private final String text;
  private final @Nullable Path file;
  private final @Nullable Time time;
  private @Nullable String read;
  private long readAt;
  private boolean doubted;
  private String complained = "";

  private Material(String text, @Nullable Path file, @Nullable Time time) {
    this.text = text;
    this.file = file;
    this.time = time;
  }

  static Material of(String text) {
    return new Material(text, null, null);
  }

  static Material in(Path file, Time time) {
    return new Material("", file, time);
  }

  /** Of a kubeconfig's entry, where data in it goes before a file. */
  static Material of(Entry entry, String name, Time time) throws KubeConfigException {
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

  /** As it is now, without blanks around it; never empty unless it is none. */
  synchronized String get() throws CredentialsException {
    if (file == null || time == null) {
      return text;
    }
    long now = time.nanos();
    String last = read;
    if (last != null && now - readAt < (doubted ? DOUBTED : FRESH)) {
      return last;
    }
    try {
      String fresh = Files.readString(file).strip();
      if (fresh.isEmpty()) {
        throw new IOException("it is empty");
      }
      read = fresh;
      complained = "";
    } catch (IOException | RuntimeException e) {
      complain(e, last != null);
      if (last == null) {
        throw new CredentialsException(file + " cannot be read (" + said(e) + ")");
      }
    }
    readAt = now;
    doubted = false;
    return read == null ? "" : read;
  }

  private void complain(Exception e, boolean kept) {
    String line =
        file + " cannot be read (" + said(e) + ")" + (kept ? ": what it held before is used" : "");
    if (!line.equals(complained)) {
      complained = line;
      LOG.log(Level.WARNING, () -> line);
    }
  }

  private static String said(Exception e) {
    return e instanceof java.nio.file.NoSuchFileException
        ? "it does not exist"
        : String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /** The server does not take it: a file is looked at again, at most once a second. */
  synchronized void doubt() {
    doubted = true;
  }
}
