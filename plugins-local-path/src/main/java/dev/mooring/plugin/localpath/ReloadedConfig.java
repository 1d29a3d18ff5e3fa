package dev.mooring.plugin.localpath;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Configuration file that may change while the program runs, as a mounted ConfigMap does. Logs an
 * invalid change once and keeps the last valid contents. Thread-safe.
 */
final class ReloadedConfig {
  private final Path file;
  private final Logger log;

  // guarded by this
  private String text;
  private LocalPathConfig config;

  ReloadedConfig(Path file, Logger log) {
    this.file = file;
    this.log = log;
    try {
      this.text = Files.readString(file);
      this.config = ConfigReader.read(text);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "local-path-config " + file + " cannot be read (" + e + "): name a readable file", e);
    } catch (InvalidInputException e) {
      throw new IllegalArgumentException("local-path-config " + file + ": " + e.reason(), e);
    }
  }

  synchronized LocalPathConfig current() {
    try {
      String newText = Files.readString(file);
      if (!newText.equals(text)) {
        text = newText;
        config = ConfigReader.read(newText);
        log.log(Level.INFO, () -> file + " has changed");
      }
    } catch (InvalidInputException e) {
      log.log(
          Level.ERROR,
          () -> file + " has changed and is invalid; keeping the previous contents: " + e.reason());
    } catch (CharacterCodingException e) {
      log.log(
          Level.ERROR,
          () -> file + " has changed and is not UTF-8 text; keeping the previous contents");
    } catch (IOException | UncheckedIOException e) {
      log.log(Level.WARNING, () -> file + " cannot be read; keeping the previous contents: " + e);
    }
    return config;
  }
}
