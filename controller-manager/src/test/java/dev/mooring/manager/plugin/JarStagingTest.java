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
  private Path temporary;
  private Path jar;

  @BeforeEach
  void oneJar() throws IOException {
    temporary = Files.createDirectory(folder.resolve("tmp"));
    jar = Files.writeString(folder.resolve("disks.jar"), "classes");
  }

  @Test
  void copiesOfRunningProcess_areKept() throws Exception {
    try (Other running = new Other(temporary, jar)) {
      new JarStaging(temporary).of(List.of(jar));
      assertThat(running.copy).exists();
    }
  }

  @Test
  void copiesOfKilledProcess_areRemoved() throws Exception {
    Path left;
    try (Other killed = new Other(temporary, jar)) {
      left = killed.copy;
    }
    assertThat(left).exists();
    new JarStaging(temporary).of(List.of(jar));
    assertThat(left).doesNotExist();
  }

  /** Opening and closing the own lock file would release the lock. */
  @Test
  void twoStagingsInOneProcess_keepTheirLocks() throws Exception {
    JarStaging first = new JarStaging(temporary);
    Path used = first.of(List.of(jar)).getFirst();
    JarStaging second = new JarStaging(temporary);
    second.of(List.of(jar));
    try (Other other = new Other(temporary, jar)) {
      assertThat(other.copy).exists();
      assertThat(used).exists();
    }
    first.close();
    second.close();
  }

  /** Two stagings of a process may find the same directory concurrently; one of them removes it. */
  @Test
  void copiesInRemovalByThisProcess_areSkipped() throws Exception {
    Path left = Files.createDirectory(temporary.resolve("mooring-plugins-1-1-left"));
    try (FileChannel removing =
        FileChannel.open(
            left.resolve("lock"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      assertThat(removing.tryLock()).isNotNull();
      assertThat(new JarStaging(temporary).of(List.of(jar)).getFirst()).exists();
      assertThat(left).exists();
    }
  }

  @Test
  void close_removesEverything() throws Exception {
    JarStaging staging = new JarStaging(temporary);
    List<Path> made = staging.of(List.of(jar));
    assertThat(made.getFirst()).hasSameBinaryContentAs(jar);
    staging.remove(made);
    assertThat(made.getFirst()).doesNotExist();
    staging.close();
    try (Stream<Path> all = Files.list(temporary)) {
      assertThat(all).isEmpty();
    }
  }

  /** Another process that copies the jar and runs until it is killed. */
  private static final class Other implements AutoCloseable {
    private final Process process;
    private final Path copy;

    Other(Path temporary, Path jar) throws IOException {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Holder.class.getName(),
                  temporary.toString(),
                  jar.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      BufferedReader said = process.inputReader();
      String line = said.readLine();
      assertThat(line).as("path of the other process's copy").isNotNull();
      copy = Path.of(line);
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
      process.onExit().join();
    }
  }

  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      List<Path> staged = new JarStaging(Path.of(arguments[0])).of(List.of(Path.of(arguments[1])));
      System.out.println(staged.getFirst());
      System.in.transferTo(System.out);
    }
  }
}
