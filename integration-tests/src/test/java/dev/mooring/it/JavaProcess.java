package dev.mooring.it;

import dev.mooring.testkit.Patience;
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

/** Mooring as it is distributed, as a process of its own; killed when closed. */
public final class JavaProcess implements AutoCloseable {
  private static final long PATIENCE = Patience.LONGEST.toNanos();

  private static final List<String> JAVA =
      List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:+UseSerialGC",
          "-Dguice_bytecode_gen_option=DISABLED");

  private static final Pattern FLAGS = Pattern.compile("(?m)^flags=\\((.*)\\)$");

  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private boolean ended;

  private JavaProcess(Process process) {
    this.process = process;
    Thread.ofVirtual().start(this::read);
  }

  /** Starts Mooring with that command line. */
  public static JavaProcess mooring(String... args) throws IOException {
    return start(List.of("-XX:TieredStopAtLevel=1"), args);
  }

  /** Starts Mooring with that command line, by a JVM as its launcher starts it. */
  public static JavaProcess launched(String... args) throws IOException {
    return launchedBy(List.of(), args);
  }

  /** The same, by a command that what is started is added to. */
  public static JavaProcess launchedBy(List<String> launcher, String... args) throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.addAll(command(flagsOfTheLauncher(), args));
    return new JavaProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  /** What the launcher gives every JVM, read from itself: what is measured is what is delivered. */
  private static List<String> flagsOfTheLauncher() throws IOException {
    Matcher line = FLAGS.matcher(Files.readString(Path.of("..", "mooring")));
    if (!line.find()) {
      throw new IllegalStateException("the launcher has no line of flags any more");
    }
    return List.of(line.group(1).split(" "));
  }

  /** Starts Mooring with that command line, and these variables in its environment. */
  public static JavaProcess mooring(Map<String, String> environment, String... args)
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

  /** How it is started, for whoever needs its streams; with these flags of the JVM. */
  public static List<String> command(List<String> flags, String... args) throws IOException {
    Path jar = Resources.distribution();
    List<String> command = new ArrayList<>(JAVA);
    command.addAll(ClassCache.flags(JAVA, jar));
    command.addAll(flags);
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(List.of(args));
    return command;
  }

  private void read() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        add(line);
      }
    } catch (IOException | UncheckedIOException killed) {
      // its pipe ends with it
    } finally {
      end();
    }
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  private synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Its number. */
  public long pid() {
    return process.pid();
  }

  /** Everything it has said so far. */
  public synchronized List<String> said() {
    return List.copyOf(lines);
  }

  /** Waits for a line, which may have come already. */
  public synchronized String awaitLine(Predicate<String> wanted) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE;
    int looked = 0;
    while (true) {
      for (; looked < lines.size(); looked++) {
        if (wanted.test(lines.get(looked))) {
          return lines.get(looked);
        }
      }
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (ended || left <= 0) {
        throw new AssertionError(
            (ended ? "the process ended" : "its time passed")
                + " without the line; it said:\n"
                + String.join("\n", lines));
      }
      wait(left);
    }
  }

  /** Whether it has not ended. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Kills it as kill -9 does, and waits until it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Asks it to stop, and waits for its exit code. */
  public int stop() throws InterruptedException {
    process.destroy();
    return exitCode();
  }

  /** Waits for its own end. */
  public int exitCode() throws InterruptedException {
    if (!process.waitFor(PATIENCE, TimeUnit.NANOSECONDS)) {
      throw new AssertionError("did not end in time; it said:\n" + said());
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
