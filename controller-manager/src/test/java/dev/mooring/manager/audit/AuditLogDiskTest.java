package dev.mooring.manager.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.slf4j.LoggerFactory;

/** The audit log on a disk that hangs, is full, or accepts partial writes. */
@Timeout(300)
class AuditLogDiskTest extends AuditLogFixture {
  /** A disk that hangs. */
  private static final class Stuck extends OutputStream {
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch free = new CountDownLatch(1);
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Override
    public void write(int one) {
      throw new UnsupportedOperationException("lines are written whole");
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      writing.countDown();
      try {
        free.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      synchronized (written) {
        written.write(bytes, from, length);
      }
    }
  }

  @Test
  void note_fullQueue_neverBlocksAndReportsLoss() throws Exception {
    Stuck disk = new Stuck();
    AuditLog log = new AuditLog("a disk", disk);
    log.note(entry("first"));
    disk.writing.await();
    for (int i = 0; i < 20_000; i++) {
      log.note(entry("c" + i)); // would block here
    }
    assertThat(log.lost()).isEqualTo(20_000 - 8192);
    disk.free.countDown();
    TestWait.until("the rest is written", () -> log.written() == 8193);
    log.close();
    String all = disk.written.toString(StandardCharsets.UTF_8);
    assertThat(all.lines().filter(line -> line.contains("\"did\":\"lose\"")))
        .singleElement()
        .asString()
        .contains("11808 lines are missing here", "8192 entries are queued already");
  }

  /** Captures the process's own log. */
  private static final class Said implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger(AuditLog.class);
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> appender =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent one) {
            lines.add(one.getFormattedMessage());
          }
        };

    Said() {
      appender.start();
      logger.addAppender(appender);
    }

    @Override
    public void close() {
      logger.detachAppender(appender);
    }
  }

  private static List<String> names(ByteArrayOutputStream written) {
    return written
        .toString(StandardCharsets.UTF_8)
        .lines()
        .map(text -> AuditFields.read(text).orElseThrow())
        .map(line -> line.did().equals(AuditLine.LOSE) ? AuditLine.LOSE : line.name())
        .toList();
  }

  @Test
  void loss_whileDiskHangs_isMarkedInLogAndLoggedByProcess() throws Exception {
    Stuck disk = new Stuck();
    try (Said said = new Said()) {
      AuditLog log = new AuditLog("a disk", disk);
      log.note(entry("first"));
      disk.writing.await();
      for (int i = 0; i < 10_000; i++) {
        log.note(entry("c" + i));
      }
      assertThat(said.lines)
          .as("the writing thread hangs")
          .containsExactly(
              "1 lines of the audit log a disk were lost; last cause: 8192 entries are queued already");
      disk.free.countDown();
      TestWait.until("the rest is written", () -> log.written() == 8193);
      log.note(entry("last"));
      log.close();
    }
    List<String> names = names(disk.written);
    assertThat(names).hasSize(8195).endsWith("c8190", "c8191", AuditLine.LOSE, "last");
    assertThat(names).doesNotContain("c8192", "c9999");
  }

  /** A disk that is full for a number of writes. */
  private static final class Full extends OutputStream {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final AtomicInteger left;

    Full(int refused) {
      left = new AtomicInteger(refused);
    }

    @Override
    public void write(int one) {
      throw new UnsupportedOperationException("lines are written whole");
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      if (left.getAndDecrement() > 0) {
        throw new IOException("No space left on device");
      }
      synchronized (written) {
        written.write(bytes, from, length);
      }
    }
  }

  @Test
  void fullDisk_afterRecovery_allLinesAreWritten() throws Exception {
    Full disk = new Full(2);
    try (Said said = new Said()) {
      AuditLog log = new AuditLog("a disk", disk);
      for (int i = 0; i < 2000; i++) {
        log.note(entry("c" + i));
      }
      TestWait.until("space is available again", () -> log.written() == 2000);
      log.close();
      assertThat(log.lost()).isZero();
      assertThat(said.lines)
          .containsExactly(
              "audit log a disk: write failed: No space left on device; retrying, up to 8192 lines are queued meanwhile");
    }
    assertThat(names(disk.written))
        .isEqualTo(IntStream.range(0, 2000).mapToObj(i -> "c" + i).toList());
  }

  @Test
  void close_queuedLines_areWrittenOrCounted() throws Exception {
    Full healthy = new Full(0);
    AuditLog log = new AuditLog("a disk", healthy);
    IntStream.range(0, 8000).forEach(i -> log.note(entry("c" + i)));
    log.close();
    assertThat(names(healthy.written)).hasSize(8000).endsWith("c7999");
    log.note(entry("late"));
    assertThat(log.lost()).isEqualTo(1);
    try (Said said = new Said()) {
      AuditLog full = new AuditLog("another disk", new Full(Integer.MAX_VALUE));
      IntStream.range(0, 1000).forEach(i -> full.note(entry("c" + i)));
      full.close();
      assertThat(full.written()).isZero();
      assertThat(full.lost()).isEqualTo(1000);
      assertThat(said.lines)
          .contains(
              "1000 lines of the audit log another disk were not written before the process stopped: No space left on device");
    }
  }

  @Test
  void close_hangingDisk_returnsSoonAndCountsLines() throws Exception {
    Stuck disk = new Stuck();
    try (Said said = new Said()) {
      AuditLog log = new AuditLog("a disk", disk);
      log.note(entry("first"));
      disk.writing.await();
      IntStream.range(0, 100).forEach(i -> log.note(entry("c" + i)));
      log.close();
      assertThat(log.written() + log.lost()).isEqualTo(101);
      assertThat(said.lines)
          .anySatisfy(line ->
              assertThat(line).startsWith("101 lines of the audit log a disk were not written"));
    }
  }

  @Test
  void lines_ofOneObject_keepTheirOrder() throws Exception {
    Full disk = new Full(1);
    AuditLog log = new AuditLog("a disk", disk);
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int worker = 0; worker < 8; worker++) {
        String name = "w" + worker;
        workers.submit(
            () -> IntStream.range(0, 1000).forEach(i -> log.note(entry(name, "step-" + i))));
      }
    }
    TestWait.until("the disk has room", () -> log.written() == 8000);
    log.close();
    assertThat(log.lost()).isZero();
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
    assertThat(steps).hasSize(8).allSatisfy((name, of) -> assertThat(of).isEqualTo(expected));
  }

  /** A disk that becomes full during a write. */
  private static final class Torn implements SeekableByteChannel {
    private final SeekableByteChannel of;
    private final AtomicInteger room;

    Torn(SeekableByteChannel of, AtomicInteger room) {
      this.of = of;
      this.room = room;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      int fits = Math.min(room.get(), bytes.remaining());
      if (fits == 0) {
        throw new IOException("No space left on device");
      }
      int written = of.write(bytes.slice(bytes.position(), fits));
      bytes.position(bytes.position() + written);
      room.addAndGet(-written);
      return written;
    }

    @Override
    public int read(ByteBuffer bytes) throws IOException {
      return of.read(bytes);
    }

    @Override
    public long position() throws IOException {
      return of.position();
    }

    @Override
    public SeekableByteChannel position(long position) throws IOException {
      return of.position(position);
    }

    @Override
    public long size() throws IOException {
      return of.size();
    }

    @Override
    public SeekableByteChannel truncate(long size) throws IOException {
      room.addAndGet((int) (of.size() - size));
      return of.truncate(size);
    }

    @Override
    public boolean isOpen() {
      return of.isOpen();
    }

    @Override
    public void close() throws IOException {
      of.close();
    }
  }

  @Test
  void partialWrite_isTruncatedAndRepeated() throws Exception {
    Path path = folder.resolve("audit");
    AtomicInteger room = new AtomicInteger(25);
    RotatingFile file =
        new RotatingFile(
            path,
            MEGABYTE,
            2,
            one ->
                new Torn(
                    Files.newByteChannel(
                        one,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND),
                    room));
    byte[] two = "line 1 of 2\nline 2 of 2\n".getBytes(StandardCharsets.UTF_8);
    file.write(two);
    assertThatThrownBy(() -> file.write(two)).hasMessage("No space left on device");
    assertThat(Files.readString(path)).as("no partial line").hasSize(24);
    room.set(1000);
    file.write(two);
    file.close();
    assertThat(Files.readString(path)).isEqualTo(new String(two, StandardCharsets.UTF_8).repeat(2));
  }

  /** Runs as a separate process, whose standard output can be a full disk. */
  static final class OneLine {
    private OneLine() {}

    /** Exits with the number of lost lines. */
    public static void main(String[] args) throws Exception {
      AuditLog log = AuditLog.open(new AuditLog.Config(AuditLog.STANDARD_OUTPUT, 1, 1));
      log.note(entry("a"));
      log.close();
      System.exit((int) log.lost());
    }
  }

  private static int oneLine(Path standardOutput) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OneLine.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(standardOutput.toFile())
            .start();
    return process.waitFor();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void standardOutput_writeFails_isReported() throws Exception {
    Path file = folder.resolve("output");
    assertThat(oneLine(file)).isZero();
    assertThat(read(file)).hasSize(1);
    assertThat(oneLine(Path.of("/dev/full"))).isEqualTo(1);
  }
}
