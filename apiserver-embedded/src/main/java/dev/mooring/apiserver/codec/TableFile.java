package dev.mooring.apiserver.codec;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Reads tables among the resources: one row a line, of the form key: value; # starts a comment. */
public final class TableFile {
  private TableFile() {}

  /** Returns the rows in the order of the file. */
  public static Map<String, String> read(Class<?> resourceOwner, String file) {
    Map<String, String> rows = new LinkedHashMap<>();
    try (InputStream in = Objects.requireNonNull(resourceOwner.getResourceAsStream(file), file);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(line -> {
            int colon = line.indexOf(':');
            rows.put(line.substring(0, colon), line.substring(colon + 1).strip());
          });
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
    return Collections.unmodifiableMap(rows);
  }
}
