package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of plugin jars: locks belong to processes. */
class JarStagingTest {
  @TempDir Path folder;
  private Path parent;
  private Path jar;

  @BeforeEach
  void writeJar() throws IOException {
    parent = Files.createDirectory(folder.resolve("tmp"));
    jar = Files.writeString(folder.resolve("disks.jar"), "classes");
  }

  @Test
  void copy_copiesOfRunningProcess_areKept() throws Exception {
    try (OtherProcess other = new OtherProcess(parent, jar)) {
      new JarStaging(parent).copy(List.of(jar));
      assertThat(other.copy).exists();
    }
  }

  @Test
  void copy_copiesOfKilledProcess_areRemoved() throws Exception {
    Path leftOver;
    try (OtherProcess other = new OtherProcess(parent, jar)) {
      leftOver = other.copy;
    }
    assertThat(leftOver).exists();
    new JarStaging(parent).copy(List.of(jar));
    assertThat(leftOver).doesNotExist();
  }

  /** Opening and closing the own lock file would release the lock. */
  @Test
  void copy_twoStagingsInOneProcess_keepTheirLocks() throws Exception {
    JarStaging first = new JarStaging(parent);
    Path copy = first.copy(List.of(jar)).getFirst();
    JarStaging second = new JarStaging(parent);
    second.copy(List.of(jar));
    try (OtherProcess other = new OtherProcess(parent, jar)) {
      assertThat(other.copy).exists();
      assertThat(copy).exists();
    }
    first.close();
    second.close();
  }

  /** Two stagings of a process may find the same directory concurrently; one of them removes it. */
  @Test
  void copy_copiesBeingRemovedByThisProcess_areSkipped() throws Exception {
    Path leftOver = Files.createDirectory(parent.resolve("mooring-plugins-1-1-left"));
    try (FileChannel channel =
        FileChannel.open(
            leftOver.resolve("lock"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      assertThat(channel.tryLock()).isNotNull();
      assertThat(new JarStaging(parent).copy(List.of(jar)).getFirst()).exists();
      assertThat(leftOver).exists();
    }
  }

  // A copy in the way fails the write as a full disk does.
  @Test
  void copy_copyNotWritable_usesJarsInPlace() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other")).resolve("disks.jar");
    Files.writeString(other, "other classes");
    JarStaging staging = new JarStaging(parent);
    assertThat(staging.copy(List.of(jar, other))).containsExactly(jar, other);
    staging.close();
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void close_copiedJars_removesEverything() throws Exception {
    JarStaging staging = new JarStaging(parent);
    List<Path> copies = staging.copy(List.of(jar));
    assertThat(copies.getFirst()).hasSameBinaryContentAs(jar);
    staging.remove(copies);
    assertThat(copies.getFirst()).doesNotExist();
    staging.close();
    try (Stream<Path> files = Files.list(parent)) {
      assertThat(files).isEmpty();
    }
  }

  /** Another process that copies the jar and runs until it is killed. */
  private static final class OtherProcess implements AutoCloseable {
    private final Process process;
    private final Path copy;

    OtherProcess(Path parent, Path jar) throws IOException {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  HoldingMain.class.getName(),
                  parent.toString(),
                  jar.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      BufferedReader output = process.inputReader();
      String line = output.readLine();
      assertThat(line).as("path of the other process's copy").isNotNull();
      copy = Path.of(line);
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
      process.onExit().join();
    }
  }

  static final class HoldingMain {
    private HoldingMain() {}

    public static void main(String[] arguments) throws IOException {
      List<Path> copies =
          new JarStaging(Path.of(arguments[0])).copy(List.of(Path.of(arguments[1])));
      System.out.println(copies.getFirst());
      System.in.transferTo(System.out);
    }
  }
}
