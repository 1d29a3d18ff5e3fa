package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.PathRejectedException;
import dev.mooring.spi.files.RelativePath;
import java.util.List;
import java.util.Optional;

/**
 * Absolute node directory that holds volume directories, as configured. Never the root directory.
 *
 * @param text path without a trailing slash
 */
record BasePath(String text) implements Comparable<BasePath> {
  static BasePath of(String text) throws InvalidInputException {
    if (!text.startsWith("/")) {
      throw new InvalidInputException("path \"" + text + "\" must start with /");
    }
    String trimmed = text.replaceAll("/+$", "");
    if (trimmed.isEmpty()) {
      throw new InvalidInputException(
          "path \"" + text + "\" is the root directory: name one below it");
    }
    for (String element : List.of(trimmed.substring(1).split("/", -1))) {
      if (element.isEmpty() || element.equals(".") || element.equals("..")) {
        throw new InvalidInputException(
            "path \"" + text + "\" has the element \"" + element + "\"");
      }
    }
    return new BasePath(trimmed);
  }

  Optional<RelativePath> relativize(String path) {
    if (!path.startsWith(text + "/")) {
      return Optional.empty();
    }
    try {
      return Optional.of(RelativePath.existing(path.substring(text.length() + 1)));
    } catch (PathRejectedException e) {
      return Optional.empty();
    }
  }

  boolean contains(String path) {
    return path.startsWith(text + "/");
  }

  String resolve(RelativePath relativePath) {
    return text + "/" + relativePath;
  }

  @Override
  public int compareTo(BasePath other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
