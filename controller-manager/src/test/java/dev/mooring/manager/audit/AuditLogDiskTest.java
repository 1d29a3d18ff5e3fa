package dev.mooring.manager.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.mooring.testkit.TestWait;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.slf4j.LoggerFactory;

/** The audit log on a disk that hangs, is full, or accepts partial writes. */
class AuditLogDiskTest extends AuditLogFixture {
  /** A disk that hangs. */
  private static final class HangingDisk extends OutputStream {
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Override
    public void write(int value) {
      throw new UnsupportedOperationException("lines are written whole");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      writing.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      synchronized (written) {
        written.write(bytes, offset, length);
      }
    }
  }

  @Test
  void note_queueFull_doesNotBlockAndMarksLoss() throws Exception {
    HangingDisk disk = new HangingDisk();
    AuditLog log = new AuditLog("a disk", disk);
    log.record(entry("first"));
    disk.writing.await();
    for (int i = 0; i < 20_000; i++) {
      log.record(entry("c" + i)); // would block here
    }
    assertThat(log.lostLines()).isEqualTo(20_000 - 8192);
    disk.released.countDown();
    TestWait.until("the rest is written", () -> log.writtenLines() == 8193);
    log.close();
    String text = disk.written.toString(StandardCharsets.UTF_8);
    assertThat(text.lines().filter(line -> line.contains("\"did\":\"lose\"")))
        .singleElement()
        .asString()
        .contains("11808 lines are missing here", "8192 entries are queued already");
  }

  /** Captures the process's own log. */
  private static final class ProcessLog implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger(AuditLog.class);
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> appender =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage());
          }
        };

    ProcessLog() {
      appender.start();
      logger.addAppender(appender);
      logger.setLevel(Level.INFO); // a command of another test may have made the log quiet
    }

    @Override
    public void close() {
      logger.setLevel(null);
      logger.detachAppender(appender);
    }
  }

  private static List<String> names(ByteArrayOutputStream output) {
    return output
        .toString(StandardCharsets.UTF_8)
        .lines()
        .map(text -> AuditFields.read(text).orElseThrow())
        .map(line -> line.did().equals(AuditLine.LOSE) ? AuditLine.LOSE : line.name())
        .toList();
  }

  @Test
  void note_queueFullAndDiskHangs_marksLossAndLogsIt() throws Exception {
    HangingDisk disk = new HangingDisk();
    try (ProcessLog processLog = new ProcessLog()) {
      AuditLog log = new AuditLog("a disk", disk);
      log.record(entry("first"));
      disk.writing.await();
      for (int i = 0; i < 10_000; i++) {
        log.record(entry("c" + i));
      }
      assertThat(processLog.lines)
          .as("the writing thread hangs")
          .containsExactly(
              "1 lines of the audit log a disk were lost; last cause: 8192 entries are queued already");
      disk.released.countDown();
      TestWait.until("the rest is written", () -> log.writtenLines() == 8193);
      log.record(entry("last"));
      log.close();
    }
    List<String> names = names(disk.written);
    assertThat(names).hasSize(8195).endsWith("c8190", "c8191", AuditLine.LOSE, "last");
    assertThat(names).doesNotContain("c8192", "c9999");
  }

  /** A disk that is full for a number of writes. */
  private static final class FullDisk extends OutputStream {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final AtomicInteger remainingFailures;

    FullDisk(int failures) {
      remainingFailures = new AtomicInteger(failures);
    }

    @Override
    public void write(int value) {
      throw new UnsupportedOperationException("lines are written whole");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (remainingFailures.getAndDecrement() > 0) {
        throw new IOException("No space left on device");
      }
      synchronized (written) {
        written.write(bytes, offset, length);
      }
    }
  }

  @Test
  void note_diskIsFullForTwoWrites_writesAllLines() throws Exception {
    FullDisk disk = new FullDisk(2);
    try (ProcessLog processLog = new ProcessLog()) {
      AuditLog log = new AuditLog("a disk", disk);
      for (int i = 0; i < 2000; i++) {
        log.record(entry("c" + i));
      }
      TestWait.until("space is available again", () -> log.writtenLines() == 2000);
      log.close();
      assertThat(log.lostLines()).isZero();
      assertThat(processLog.lines)
          .containsExactly(
              "audit log a disk: write failed: No space left on device; retrying, up to 8192 lines are queued meanwhile");
    }
    assertThat(names(disk.written))
        .isEqualTo(IntStream.range(0, 2000).mapToObj(i -> "c" + i).toList());
  }

  @Test
  void close_queuedLines_areWrittenOrCountedAsLost() throws Exception {
    FullDisk healthy = new FullDisk(0);
    AuditLog log = new AuditLog("a disk", healthy);
    IntStream.range(0, 8000).forEach(i -> log.record(entry("c" + i)));
    log.close();
    assertThat(names(healthy.written)).hasSize(8000).endsWith("c7999");
    log.record(entry("late"));
    assertThat(log.lostLines()).isEqualTo(1);
    try (ProcessLog processLog = new ProcessLog()) {
      AuditLog full = new AuditLog("another disk", new FullDisk(Integer.MAX_VALUE));
      IntStream.range(0, 1000).forEach(i -> full.record(entry("c" + i)));
      full.close();
      assertThat(full.writtenLines()).isZero();
      assertThat(full.lostLines()).isEqualTo(1000);
      assertThat(processLog.lines)
          .contains(
              "1000 lines of the audit log another disk were not written before the process stopped: No space left on device");
    }
  }

  @Test
  void close_hangingDisk_returnsAndCountsLines() throws Exception {
    HangingDisk disk = new HangingDisk();
    try (ProcessLog processLog = new ProcessLog()) {
      AuditLog log = new AuditLog("a disk", disk);
      log.record(entry("first"));
      disk.writing.await();
      IntStream.range(0, 100).forEach(i -> log.record(entry("c" + i)));
      log.close();
      assertThat(log.writtenLines() + log.lostLines()).isEqualTo(101);
      assertThat(processLog.lines)
          .anySatisfy(line ->
              assertThat(line).startsWith("101 lines of the audit log a disk were not written"));
    }
  }

  @Test
  void note_concurrentWriters_keepsOrderOfEachObject() throws Exception {
    FullDisk disk = new FullDisk(1);
    AuditLog log = new AuditLog("a disk", disk);
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int worker = 0; worker < 8; worker++) {
        String name = "w" + worker;
        workers.submit(
            () -> IntStream.range(0, 1000).forEach(i -> log.record(entry(name, "step-" + i))));
      }
    }
    TestWait.until("the disk has room", () -> log.writtenLines() == 8000);
    log.close();
    assertThat(log.lostLines()).isZero();
    Map<String, List<String>> steps =
        disk.written
            .toString(StandardCharsets.UTF_8)
            .lines()
            .map(text -> AuditFields.read(text).orElseThrow())
            .collect(
                Collectors.groupingBy(
                    AuditLine::name,
                    Collectors.mapping(line -> line.fields().getFirst(), Collectors.toList())));
    List<String> expected = IntStream.range(0, 1000).mapToObj(i -> "step-" + i).toList();
    assertThat(steps)
        .hasSize(8)
        .allSatisfy((name, objectSteps) -> assertThat(objectSteps).isEqualTo(expected));
  }

  /** A disk that becomes full during a write. */
  private static final class PartialChannel implements SeekableByteChannel {
    private final SeekableByteChannel channel;
    private final AtomicInteger space;

    PartialChannel(SeekableByteChannel channel, AtomicInteger space) {
      this.channel = channel;
      this.space = space;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      int length = Math.min(space.get(), bytes.remaining());
      if (length == 0) {
        throw new IOException("No space left on device");
      }
      int written = channel.write(bytes.slice(bytes.position(), length));
      bytes.position(bytes.position() + written);
      space.addAndGet(-written);
      return written;
    }

    @Override
    public int read(ByteBuffer bytes) throws IOException {
      return channel.read(bytes);
    }

    @Override
    public long position() throws IOException {
      return channel.position();
    }

    @Override
    public SeekableByteChannel position(long position) throws IOException {
      return channel.position(position);
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public SeekableByteChannel truncate(long size) throws IOException {
      space.addAndGet((int) (channel.size() - size));
      return channel.truncate(size);
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @Test
  void write_partialWriteFails_isTruncatedAndCanBeRepeated() throws Exception {
    Path path = folder.resolve("audit");
    AtomicInteger space = new AtomicInteger(25);
    RotatingFile file =
        new RotatingFile(
            path,
            MEGABYTE,
            2,
            target ->
                new PartialChannel(
                    Files.newByteChannel(
                        target,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND),
                    space));
    byte[] lines = "line 1 of 2\nline 2 of 2\n".getBytes(StandardCharsets.UTF_8);
    file.write(lines);
    assertThatThrownBy(() -> file.write(lines)).hasMessage("No space left on device");
    assertThat(Files.readString(path)).as("no partial line").hasSize(24);
    space.set(1000);
    file.write(lines);
    file.close();
    assertThat(Files.readString(path))
        .isEqualTo(new String(lines, StandardCharsets.UTF_8).repeat(2));
  }

  /** Runs as a separate process, whose standard output can be a full disk. */
  static final class OneLineProcess {
    private OneLineProcess() {}

    /** Exits with the number of lost lines. */
    public static void main(String[] args) throws Exception {
      AuditLog log = AuditLog.open(new AuditLog.Config(AuditLog.STANDARD_OUTPUT, 1, 1));
      log.record(entry("a"));
      log.close();
      System.exit((int) log.lostLines());
    }
  }

  private static int runOneLineProcess(Path standardOutput) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OneLineProcess.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(standardOutput.toFile())
            .start();
    return process.waitFor();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void close_standardOutputFull_countsLostLine() throws Exception {
    Path file = folder.resolve("output");
    assertThat(runOneLineProcess(file)).isZero();
    assertThat(read(file)).hasSize(1);
    assertThat(runOneLineProcess(Path.of("/dev/full"))).isEqualTo(1);
  }
}
