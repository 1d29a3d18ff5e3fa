package dev.mooring.manager.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.audit.AuditEntry;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.Patience;
import dev.mooring.workqueue.OwnDoing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
