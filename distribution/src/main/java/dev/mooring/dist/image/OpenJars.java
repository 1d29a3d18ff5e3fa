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
 * Makes the order of open jars in the JVM's hash table ({@code ZipFile.Source}) reproducible. The
 * hash combines the modification time in milliseconds with the file's inode number. If inode
 * numbers collide, the table calls methods that it does not call otherwise, and a class archive
 * records which methods ran. This class therefore sets the milliseconds of each jar so that the
 * jars occupy consecutive places, whatever their inodes are. Archives store seconds only, so they
 * do not change.
 */
final class OpenJars {
  private static final int MILLIS = 1000;

  private OpenJars() {}

  /**
   * Sets the milliseconds of the modification time of all jars in a directory, in the order of
   * their paths; seconds stay as they are.
   *
   * @throws IOException if the file system cannot store such times
   */
  static void setTimes(Path folder) throws IOException {
    List<Path> jars;
    try (Stream<Path> paths = Files.walk(folder)) {
      jars = paths.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
    int buckets = 2 * Integer.highestOneBit(Math.max(1, jars.size()));
    for (int i = 0; i < jars.size(); i++) {
      moveToBucket(jars.get(i), i, buckets);
    }
  }

  private static void moveToBucket(Path jar, int bucket, int buckets) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(jar, BasicFileAttributes.class);
    long secondStart = Math.floorDiv(attributes.lastModifiedTime().toMillis(), MILLIS) * MILLIS;
    for (long time = secondStart; time < secondStart + MILLIS; time++) {
      int hash = hash(time, attributes.fileKey());
      if (((hash ^ hash >>> 16) & buckets - 1) == bucket) { // the spread function of HashMap
        Files.setLastModifiedTime(jar, FileTime.fromMillis(time));
        if (Files.getLastModifiedTime(jar).toMillis() != time) {
          throw new IOException(
              jar + " keeps no milliseconds: set java.io.tmpdir to a directory whose files do");
        }
        return;
      }
    }
    throw new IOException(
        "no modification time of %s gives it place %s of %s: set java.io.tmpdir to a directory of another file system"
            .formatted(jar, bucket, buckets));
  }

  // Equals ZipFile.Source.Key.hashCode of JDK 25.
  private static int hash(long millis, Object fileKey) {
    return Long.hashCode(StandardCharsets.UTF_8.hashCode() + millis) + fileKey.hashCode();
  }
}
