package dev.mooring.dist.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * The jars that a JVM has open, as its hash table of them ({@code ZipFile.Source}) sees them: by
 * the milliseconds of their last change, and by the file's number on disk. Where a file system
 * hands out numbers that come to lie in one place of the table, it is reorganised by methods that
 * are not called otherwise, and an archive of classes shows which were called. So the jars get
 * milliseconds with which they lie in the table one after the other, whatever their numbers are; an
 * archive remembers seconds only.
 */
final class OpenJars {
  private static final int MILLIS = 1000;

  private OpenJars() {}

  /**
   * Numbers the jars below that folder, in the order of their paths; of each file's time the
   * milliseconds change, and nothing else.
   *
   * @throws IOException if that is not possible
   */
  static void number(Path folder) throws IOException {
    List<Path> jars;
    try (Stream<Path> all = Files.walk(folder)) {
      jars = all.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
    int places = 2 * Integer.highestOneBit(Math.max(1, jars.size()));
    for (int i = 0; i < jars.size(); i++) {
      move(jars.get(i), i, places);
    }
  }

  private static void move(Path jar, int place, int places) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(jar, BasicFileAttributes.class);
    long second = Math.floorDiv(attributes.lastModifiedTime().toMillis(), MILLIS) * MILLIS;
    for (long time = second; time < second + MILLIS; time++) {
      int hash = hash(time, attributes.fileKey());
      if (((hash ^ hash >>> 16) & places - 1) == place) { // as HashMap spreads hashes
        Files.setLastModifiedTime(jar, FileTime.fromMillis(time));
        if (Files.getLastModifiedTime(jar).toMillis() != time) {
          throw new IOException(
              jar + " keeps no milliseconds: let java.io.tmpdir be a folder whose files do");
        }
        return;
      }
    }
    throw new IOException(
        "no time of "
            + jar
            + " brings it to place "
            + place
            + " of "
            + places
            + ": let java.io.tmpdir be a folder of another file system");
  }

  /** As {@code ZipFile.Source.Key} has it, in JDK 25. */
  private static int hash(long millis, Object fileKey) {
    return Long.hashCode(StandardCharsets.UTF_8.hashCode() + millis) + fileKey.hashCode();
  }
}
