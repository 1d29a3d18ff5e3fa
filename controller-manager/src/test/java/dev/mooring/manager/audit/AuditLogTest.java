package dev.mooring.manager.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.mooring.audit.AuditEntry;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.Patience;
import dev.mooring.workqueue.OwnDoing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Timeout(300)
class AuditLogTest {
  private static final long MEGABYTE = 1 << 20;

  @TempDir private Path folder;

  private static AuditEntry entry(String claim, String... fields) {
    return new AuditEntry(
        Instant.ofEpochSecond(1_700_000_000),
        new OwnDoing.Doer("some-controller", "shop/" + claim, "Bind", ""),
        "patch",
        new AuditEntry.Target(Kind.CLAIM.kind(), ObjectKey.of("shop", claim), "u"),
        new AuditEntry.Change(List.of(fields), 1, 2),
        "written",
        "",
        Duration.ofMillis(3));
  }

  private AuditLog open(Path file, int files) throws IOException {
    return AuditLog.open(new AuditLog.Config(file.toString(), MEGABYTE, files));
  }

  private static List<AuditLine> read(Path file) throws IOException {
    List<AuditLine> lines = new ArrayList<>();
    new AuditFiles(file).read(lines::add);
    return lines;
  }

  @Test
  void aLineIsReadAsItWasWritten() throws Exception {
    Path file = folder.resolve("audit");
    AuditLog log = open(file, 1);
    log.note(entry("a", "spec.volumeName=v"));
    log.close();
    assertThat(Files.readString(file))
        .isEqualTo(
            "{\"time\":\"2023-11-14T22:13:20Z\",\"controller\":\"some-controller\",\"key\":\"shop/a\",\"decision\":\"Bind\",\"did\":\"patch\",\"kind\":\"PersistentVolumeClaim\",\"namespace\":\"shop\",\"name\":\"a\",\"uid\":\"u\",\"fields\":[\"spec.volumeName=v\"],\"from\":\"1\",\"to\":\"2\",\"result\":\"written\",\"ms\":3.0}\n");
    assertThat(read(file)).containsExactly(AuditLine.of(entry("a", "spec.volumeName=v")));
    assertThat(log.written()).isEqualTo(1);
  }

  @Test
  void aFileThatIsFullMakesWayAndThereAreNeverMoreThanSoMany() throws Exception {
    Path file = folder.resolve("audit");
    AuditLog log = open(file, 3);
    String much = "x".repeat(1000);
    int lines = 6_000; // six megabytes, of which three are kept
    for (int i = 0; i < lines; i++) {
      long expected = i;
      if (i % 1000 == 0) {
        Patience.until("there is room", () -> log.written() == expected);
      }
      log.note(entry("c" + i, much));
    }
    log.close();
    assertThat(log.lost()).isZero();
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all.map(p -> p.getFileName().toString()))
          .containsExactlyInAnyOrder("audit", "audit.1", "audit.2");
    }
    for (Path part : List.of(file, folder.resolve("audit.1"), folder.resolve("audit.2"))) {
      assertThat(Files.size(part)).isBetween(1L, MEGABYTE);
    }
    List<AuditLine> left = read(file);
    assertThat(left).hasSizeGreaterThan(1000);
    for (int i = 0; i < left.size(); i++) {
      assertThat(left.get(i).name()).as("in order").isEqualTo("c" + (lines - left.size() + i));
    }
  }

  /** A disk that does not answer. */
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
  void whoDoesSomethingNeverWaitsForTheDiskAndWhatIsLostIsSaid() throws Exception {
    Stuck disk = new Stuck();
    AuditLog log = new AuditLog("a disk", disk);
    log.note(entry("first"));
    disk.writing.await();
    for (int i = 0; i < 20_000; i++) {
      log.note(entry("c" + i)); // would hang here
    }
    assertThat(log.lost()).isEqualTo(20_000 - 8192);
    disk.free.countDown();
    Patience.until("the rest is written", () -> log.written() == 8193);
    log.close();
    String all = disk.written.toString(StandardCharsets.UTF_8);
    assertThat(all.lines().filter(line -> line.contains("\"did\":\"lose\"")))
        .singleElement()
        .asString()
        .contains("11808 lines are missing here", "8192 were waiting already");
  }

  /** What the process's own log says meanwhile. */
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
  void whatIsLostIsSaidWhereItIsMissingAndByTheProcessWhileTheDiskHangs() throws Exception {
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
              "1 lines of the audit log a disk were lost; the last ones: 8192 were waiting already");
      disk.free.countDown();
      Patience.until("the rest is written", () -> log.written() == 8193);
      log.note(entry("last"));
      log.close();
    }
    List<String> names = names(disk.written);
    assertThat(names).hasSize(8195).endsWith("c8190", "c8191", AuditLine.LOSE, "last");
    assertThat(names).doesNotContain("c8192", "c9999");
  }

  /** A disk that is full for so many writes. */
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
  void aDiskThatWasFullCostsNoLine() throws Exception {
    Full disk = new Full(2);
    try (Said said = new Said()) {
      AuditLog log = new AuditLog("a disk", disk);
      for (int i = 0; i < 2000; i++) {
        log.note(entry("c" + i));
      }
      Patience.until("it has room again", () -> log.written() == 2000);
      log.close();
      assertThat(log.lost()).isZero();
      assertThat(said.lines)
          .containsExactly(
              "the audit log a disk cannot be written: No space left on device; it is tried again, and up to 8192 lines wait meanwhile");
    }
    assertThat(names(disk.written))
        .isEqualTo(IntStream.range(0, 2000).mapToObj(i -> "c" + i).toList());
  }

  @Test
  void whatIsLeftAtTheEndIsWrittenOrCountedAndSaid() throws Exception {
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
              "1000 lines of the audit log another disk were not written before the end: No space left on device");
    }
  }

  @Test
  void aDiskThatHangsHoldsTheEndUpForMomentsOnlyAndWhatItHadIsCounted() throws Exception {
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
  void ofEachObjectTheLinesStandInTheOrderOfWhatWasDone() throws Exception {
    Full disk = new Full(1);
    AuditLog log = new AuditLog("a disk", disk);
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int worker = 0; worker < 8; worker++) {
        String name = "w" + worker;
        workers.submit(
            () -> IntStream.range(0, 1000).forEach(i -> log.note(entry(name, "step-" + i))));
      }
    }
    Patience.until("the disk has room", () -> log.written() == 8000);
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

  /** A part of what is written gets through, then the disk is full. */
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
  void whatDidNotFitWholeIsTakenBackAndWrittenAgain() throws Exception {
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
    assertThat(Files.readString(path)).as("no half of a line").hasSize(24);
    room.set(1000);
    file.write(two);
    file.close();
    assertThat(Files.readString(path)).isEqualTo(new String(two, StandardCharsets.UTF_8).repeat(2));
  }

  /** Run as a process of its own: only so its standard output can be a full disk. */
  static final class OneLine {
    private OneLine() {}

    /** Ends with the number of lines that were lost. */
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
  void standardOutputThatTakesNothingIsNoticed() throws Exception {
    Path file = folder.resolve("output");
    assertThat(oneLine(file)).isZero();
    assertThat(read(file)).hasSize(1);
    assertThat(oneLine(Path.of("/dev/full"))).isEqualTo(1);
  }

  @Test
  void halfALineOfAProcessThatDiedSpoilsNeitherItsPredecessorsNorItsSuccessors() throws Exception {
    Path file = folder.resolve("audit");
    String whole = AuditLine.of(entry("before")).json();
    Files.writeString(file, whole + "\n" + whole.substring(0, 40));
    assertThat(read(file))
        .as("while it is half")
        .extracting(AuditLine::name)
        .containsExactly("before");
    assertThat(new AuditFiles(file).read(line -> {})).as("it is being written").isZero();
    AuditLog log = open(file, 2);
    log.note(entry("after"));
    log.close();
    assertThat(read(file)).extracting(AuditLine::name).containsExactly("before", "after");
    assertThat(new AuditFiles(file).read(line -> {})).as("it was never ended").isEqualTo(1);
  }

  @Test
  void whatCannotBeWrittenIsRefusedInOneLine() throws IOException {
    assertThatThrownBy(() -> open(folder.resolve("no/such/place"), 1))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "--audit-log "
                + folder.resolve("no/such/place")
                + " cannot be written: there is no such directory");
    assertThatThrownBy(() -> open(folder, 1))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("--audit-log " + folder + " cannot be written: ");
  }

  @Test
  void theLogIsItsOwnersAlone() throws Exception {
    Path file = folder.resolve("audit");
    open(file, 1).close();
    assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
  }
}
