package dev.mooring.manager.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AuditLogTest extends AuditLogFixture {
  private AuditLog open(Path file, int files) throws IOException {
    return AuditLog.open(new AuditLog.Config(file.toString(), MEGABYTE, files));
  }

  @Test
  void note_entry_roundTrips() throws Exception {
    Path file = folder.resolve("audit");
    AuditLog log = open(file, 1);
    log.record(entry("a", "spec.volumeName=v"));
    log.close();
    assertThat(Files.readString(file))
        .isEqualTo(
            "{\"time\":\"2023-11-14T22:13:20Z\",\"controller\":\"some-controller\",\"key\":\"shop/a\",\"decision\":\"Bind\",\"did\":\"patch\",\"kind\":\"PersistentVolumeClaim\",\"namespace\":\"shop\",\"name\":\"a\",\"uid\":\"u\",\"fields\":[\"spec.volumeName=v\"],\"from\":\"1\",\"to\":\"2\",\"result\":\"written\",\"ms\":3.0}\n");
    assertThat(read(file)).containsExactly(AuditLine.of(entry("a", "spec.volumeName=v")));
    assertThat(log.writtenLines()).isEqualTo(1);
  }

  @Test
  void note_fullFile_isRotatedWithinLimit() throws Exception {
    Path file = folder.resolve("audit");
    AuditLog log = open(file, 3);
    String kilobyte = "x".repeat(1000);
    int lines = 6_000; // six megabytes; three are kept
    for (int i = 0; i < lines; i++) {
      long expected = i;
      if (i % 1000 == 0) {
        TestWait.until("the file is written", () -> log.writtenLines() == expected);
      }
      log.record(entry("c" + i, kilobyte));
    }
    log.close();
    assertThat(log.lostLines()).isZero();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(p -> p.getFileName().toString()))
          .containsExactlyInAnyOrder("audit", "audit.1", "audit.2");
    }
    for (Path logFile : List.of(file, folder.resolve("audit.1"), folder.resolve("audit.2"))) {
      assertThat(Files.size(logFile)).isBetween(1L, MEGABYTE);
    }
    List<AuditLine> readLines = read(file);
    assertThat(readLines).hasSizeGreaterThan(1000);
    for (int i = 0; i < readLines.size(); i++) {
      assertThat(readLines.get(i).name())
          .as("in order")
          .isEqualTo("c" + (lines - readLines.size() + i));
    }
  }

  @Test
  void read_incompleteLineOfKilledProcess_isSkipped() throws Exception {
    Path file = folder.resolve("audit");
    String json = AuditLine.of(entry("before")).json();
    Files.writeString(file, json + "\n" + json.substring(0, 40));
    assertThat(read(file))
        .as("while the line is incomplete")
        .extracting(AuditLine::name)
        .containsExactly("before");
    assertThat(new AuditFiles(file).read(line -> {}))
        .as("an incomplete last line is not counted")
        .isZero();
    AuditLog log = open(file, 2);
    log.record(entry("after"));
    log.close();
    assertThat(read(file)).extracting(AuditLine::name).containsExactly("before", "after");
    assertThat(new AuditFiles(file).read(line -> {}))
        .as("an incomplete line in the middle")
        .isEqualTo(1);
  }

  @Test
  void open_unwritableFile_throwsWithFileAndReason() throws IOException {
    assertThatThrownBy(() -> open(folder.resolve("no/such/place"), 1))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "--audit-log "
                + folder.resolve("no/such/place")
                + " cannot be written: no such directory");
    assertThatThrownBy(() -> open(folder, 1))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("--audit-log " + folder + " cannot be written: ");
  }

  @Test
  void open_newFile_isReadableByOwnerOnly() throws Exception {
    Path file = folder.resolve("audit");
    open(file, 1).close();
    assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
  }
}
