package dev.mooring.plugin.localpath;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The configuration, which may change while the program runs, as a mounted ConfigMap does. One that
 * cannot be used is told once, and the last one that could is kept. Thread-safe.
 */
final class ReloadedConfig {
  private final Path file;
  private final Logger log;

  // guarded by this
  private String text;
  private Config config;

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException if it cannot be used; the message names the setting, the file
   *     and why
   */
  ReloadedConfig(Path file, Logger log) {
    this.file = file;
    this.log = log;
    try {
      this.text = Files.readString(file);
      this.config = ConfigReader.read(text);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "local-path-config " + file + " cannot be read (" + e + "): name a file that can", e);
    } catch (Refused e) {
      throw new IllegalArgumentException("local-path-config " + file + ": " + e.why(), e);
    }
  }

  /** What it says now. */
  synchronized Config now() {
    try {
      String found = Files.readString(file);
      if (!found.equals(text)) {
        text = found;
        config = ConfigReader.read(found);
        log.log(Level.INFO, () -> file + " has changed");
      }
    } catch (Refused e) {
      log.log(Level.ERROR, () -> file + " has changed and cannot be used: " + e.why());
    } catch (CharacterCodingException e) {
      log.log(Level.ERROR, () -> file + " has changed and is no text");
    } catch (IOException | UncheckedIOException e) {
      log.log(Level.WARNING, () -> file + " cannot be read at the moment: " + e);
    }
    return config;
  }
}
