package dev.mooring.it;

import dev.mooring.testkit.TestWait;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packaged program as a separate process, killed on close. */
public final class JavaProcess implements AutoCloseable {
  private static final long TIMEOUT_NANOS = TestWait.LONGEST.toNanos();

  private static final List<String> JAVA =
      List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:+UseSerialGC",
          "-Dguice_bytecode_gen_option=DISABLED");

  private static final Pattern RECORD_TEXT = Pattern.compile("\\b[A-Z]\\w*\\[[a-z]\\w*=");

  private static final Pattern LAUNCHER_FLAGS = Pattern.compile("(?m)^flags=\\((.*)\\)$");

  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private boolean hasEnded;

  private JavaProcess(Process process) {
    this.process = process;
    Thread.ofVirtual().start(this::readLines);
  }

  /** Starts Mooring with the arguments. */
  public static JavaProcess startMooring(String... args) throws IOException {
    return start(List.of("-XX:TieredStopAtLevel=1"), args);
  }

  /** Starts Mooring with the arguments and the JVM flags of its launcher. */
  public static JavaProcess startWithLauncherFlags(String... args) throws IOException {
    return startWithPrefix(List.of(), args);
  }

  /** Starts Mooring like {@link #startWithLauncherFlags}, prefixed by a command. */
  public static JavaProcess startWithPrefix(List<String> launcher, String... args)
      throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.addAll(command(readLauncherFlags(), args));
    return new JavaProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  /** Reads the JVM flags from the launcher script, so that tests measure what is delivered. */
  private static List<String> readLauncherFlags() throws IOException {
    Matcher line = LAUNCHER_FLAGS.matcher(Files.readString(Path.of("..", "mooring")));
    if (!line.find()) {
      throw new IllegalStateException("the launcher has no line with JVM flags");
    }
    return List.of(line.group(1).split(" "));
  }

  /** Starts Mooring with additional environment variables. */
  public static JavaProcess startMooring(Map<String, String> environment, String... args)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command(List.of("-XX:TieredStopAtLevel=1"), args))
            .redirectErrorStream(true);
    builder.environment().putAll(environment);
    return new JavaProcess(builder.start());
  }

  private static JavaProcess start(List<String> flags, String... args) throws IOException {
    return new JavaProcess(
        new ProcessBuilder(command(flags, args)).redirectErrorStream(true).start());
  }

  /**
   * Returns the command line, for tests that need the streams.
   *
   * @param flags of the JVM
   */
  public static List<String> command(List<String> flags, String... args) throws IOException {
    Path jar = Resources.distribution();
    List<String> command = new ArrayList<>(JAVA);
    command.addAll(ClassCache.flags(JAVA, jar));
    command.addAll(flags);
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(List.of(args));
    return command;
  }

  private void readLines() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        addLine(line);
      }
    } catch (IOException | UncheckedIOException killed) {
      // the pipe ends with the process
    } finally {
      markEnded();
    }
  }

  private synchronized void addLine(String line) {
    lines.add(line);
    notifyAll();
  }

  private synchronized void markEnded() {
    hasEnded = true;
    notifyAll();
  }

  public long pid() {
    return process.pid();
  }

  /** Returns the output so far. */
  public synchronized List<String> output() {
    return List.copyOf(lines);
  }

  /** Waits for a line, which may already have been printed. */
  public synchronized String awaitLine(Predicate<String> condition) throws InterruptedException {
    long deadline = System.nanoTime() + TIMEOUT_NANOS;
    int checkedLines = 0;
    while (true) {
      for (; checkedLines < lines.size(); checkedLines++) {
        if (condition.test(lines.get(checkedLines))) {
          return lines.get(checkedLines);
        }
      }
      long remainingMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (hasEnded || remainingMillis <= 0) {
        throw new AssertionError(
            (hasEnded ? "the process ended" : "timeout")
                + " without the line; output:\n"
                + String.join("\n", lines));
      }
      wait(remainingMillis);
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Sends SIGKILL and waits for the end. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Sends SIGTERM and returns the exit code. */
  public int stop() throws InterruptedException {
    process.destroy();
    return exitCode();
  }

  /** Waits for the process to end by itself and returns the exit code. */
  public int exitCode() throws InterruptedException {
    if (!process.waitFor(TIMEOUT_NANOS, TimeUnit.NANOSECONDS)) {
      throw new AssertionError("the process did not exit in time; output:\n" + output());
    }
    return process.exitValue();
  }

  /** Kills the process. Fails if it printed a record as Java's default text. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    for (String line : output()) {
      if (RECORD_TEXT.matcher(line).find()) {
        throw new AssertionError("a line contains a record's default text: " + line);
      }
    }
  }
}
