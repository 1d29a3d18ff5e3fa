package dev.mooring.dist.image;

import java.nio.file.Path;

/**
 * What the launcher leaves beside the program for its own starts: a cache of classes that fits the
 * very JVM that wrote it, and, while that is written, a configuration of the same name and more.
 */
public final class LauncherCache {
  private static final String NAME = "mooring.aot";

  private LauncherCache() {}

  /** Whether a file is of it, and thus none of the program's. */
  public static boolean has(Path file) {
    return String.valueOf(file.getFileName()).startsWith(NAME);
  }
}
