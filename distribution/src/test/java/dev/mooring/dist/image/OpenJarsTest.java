package dev.mooring.dist.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.reflect.Constructor;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares with the hash of the running JDK, so that a JDK with another hash makes this test fail.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "skipped: images can be built on Linux only")
class OpenJarsTest {
  private static final Instant TIME = Instant.parse("2026-11-21T00:00:00Z");
  private static final int JARS = 90;

  @TempDir private Path folder;

  private Path newFile(String name) throws Exception {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.createFile(file);
    Files.setLastModifiedTime(file, FileTime.from(TIME));
    return file;
  }

  /** Returns the hash of the JDK for an open jar, spread as in its hash table. */
  private static int spreadHash(Path jar) throws Exception {
    Constructor<?> key =
        Class.forName("java.util.zip.ZipFile$Source$Key")
            .getConstructor(File.class, BasicFileAttributes.class, Charset.class);
    key.setAccessible(true);
    int hash =
        key.newInstance(
                jar.toFile(),
                Files.readAttributes(jar, BasicFileAttributes.class),
                StandardCharsets.UTF_8)
            .hashCode();
    return hash ^ hash >>> 16;
  }

  @Test
  void setTimes_anyInodes_givesConsecutiveBuckets() throws Exception {
    List<Path> jars = new ArrayList<>();
    for (int i = 0; i < JARS; i++) {
      jars.add(newFile("lib/%02d.jar".formatted(i)));
      newFile("lib/%02d.between".formatted(i)); // makes gaps between inode numbers
      newFile("lib/%02d.between.too".formatted(i));
    }
    OpenJars.setTimes(folder);
    List<Integer> buckets = new ArrayList<>();
    for (Path jar : jars) {
      buckets.add(spreadHash(jar) & 127);
      assertThat(Files.getLastModifiedTime(jar).toInstant().getEpochSecond())
          .isEqualTo(TIME.getEpochSecond());
    }
    assertThat(buckets).isEqualTo(IntStream.range(0, JARS).boxed().toList());
  }

  @Test
  void setTimes_otherFile_keepsItsTime() throws Exception {
    Path other = newFile("arguments");
    newFile("one.jar");
    OpenJars.setTimes(folder);
    assertThat(Files.getLastModifiedTime(other).toInstant()).isEqualTo(TIME);
  }
}
