package dev.mooring.it.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.manager.Main;
import dev.mooring.testkit.TestWait;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A command that runs in this process and has named pipes as its standard streams. A client starts
 * {@link #relay} in place of the program. This saves the start of a JVM. Replaces the streams of
 * this process, so only one test may do so at a time.
 */
final class PipedCommand implements AutoCloseable {
  private final InputStream originalIn = System.in;
  private final PrintStream originalOut = System.out;
  private final Path in;
  private final Path out;
  private final CompletableFuture<Integer> code;

  PipedCommand(Path folder, List<String> args) throws IOException, InterruptedException {
    in = folder.resolve("in.pipe");
    out = folder.resolve("out.pipe");
    Process makePipes = new ProcessBuilder("mkfifo", in.toString(), out.toString()).start();
    assertThat(makePipes.waitFor()).isZero();
    code = CompletableFuture.supplyAsync(() -> run(args), Thread.ofPlatform().daemon()::start);
  }

  // Opening a pipe waits for the relay.
  private int run(List<String> args) {
    try (FileInputStream input = new FileInputStream(in.toFile());
        FileOutputStream output = new FileOutputStream(out.toFile())) {
      System.setIn(input);
      System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
      return Main.execute(args.toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a command line that copies its standard streams to and from the command. */
  List<String> relay() {
    return List.of("sh", "-c", "cat \"$0\" & exec cat > \"$1\"", out.toString(), in.toString());
  }

  /** Waits for the end of the command, whose input ends with the relay. */
  @Override
  public void close() {
    try {
      assertThat(code).succeedsWithin(TestWait.LONGEST).isEqualTo(0);
    } finally {
      System.setIn(originalIn);
      System.setOut(originalOut);
    }
  }
}
