package dev.mooring.dist.image;

import java.nio.file.Path;

/**
 * Recognizes the AOT cache files that the launcher writes beside the program. They fit only the JVM
 * that wrote them and must not be packed.
 */
public final class LauncherCache {
  private static final String NAME = "mooring.aot";

  private LauncherCache() {}

  public static boolean contains(Path file) {
    return String.valueOf(file.getFileName()).startsWith(NAME);
  }
}
