package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.PathRefused;
import dev.mooring.spi.files.RelativePath;
import java.util.List;
import java.util.Optional;

/**
 * An absolute directory of nodes in which volumes are directories, as administrators configure it.
 * Never the root.
 *
 * @param text without a slash at its end
 */
record BasePath(String text) implements Comparable<BasePath> {
  /** Reads one. The message of a refusal names the text. */
  static BasePath of(String text) throws Refused {
    if (!text.startsWith("/")) {
      throw new Refused("path \"" + text + "\" must start with /");
    }
    String plain = text.replaceAll("/+$", "");
    if (plain.isEmpty()) {
      throw new Refused("path \"" + text + "\" is the root directory: name one below it");
    }
    for (String element : List.of(plain.substring(1).split("/", -1))) {
      if (element.isEmpty() || element.equals(".") || element.equals("..")) {
        throw new Refused("path \"" + text + "\" has the element \"" + element + "\"");
      }
    }
    return new BasePath(plain);
  }

  /**
   * What the path of a volume that is there says beyond this one; empty if it does not lie below
   * it, or is no path that a volume can have.
   */
  Optional<RelativePath> relative(String path) {
    if (!path.startsWith(text + "/")) {
      return Optional.empty();
    }
    try {
      return Optional.of(RelativePath.existing(path.substring(text.length() + 1)));
    } catch (PathRefused none) {
      return Optional.empty();
    }
  }

  /** Whether a path lies below this one. */
  boolean contains(String path) {
    return path.startsWith(text + "/");
  }

  /** The path of what is below. */
  String resolve(RelativePath below) {
    return text + "/" + below;
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
