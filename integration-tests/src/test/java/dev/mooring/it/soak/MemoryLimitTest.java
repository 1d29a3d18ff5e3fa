package dev.mooring.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Checks that the soak test detects a process that its memory limit killed. */
class MemoryLimitTest {
  private static final long LIMIT_BYTES = 32L << 20;

  /** Returns a shell command that keeps the bytes in memory, because tail reads one long line. */
  private static String commandUsing(int bytes) {
    return "head -c " + bytes + " /dev/zero | tail >/dev/null; true";
  }

  private static void runInGroup(MemoryLimit limit, String shellCommand)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(limit.commandPrefix());
    command.addAll(List.of("sh", "-c", shellCommand));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void process_overLimit_isKilledAndCounted() throws Exception {
    Optional<MemoryLimit> created =
        MemoryLimit.of("mooring-limit-" + ProcessHandle.current().pid(), LIMIT_BYTES);
    Assumptions.assumeTrue(created.isPresent(), "skipped: this process cannot create a cgroup");
    try (MemoryLimit limit = created.get()) {
      runInGroup(limit, commandUsing(8_000_000));
      assertThat(limit.killedCount()).isZero();
      runInGroup(limit, commandUsing(200_000_000));
      assertThat(limit.killedCount()).isEqualTo(1);
      limit
          .peakUsage()
          .ifPresent(peakUsage -> assertThat(peakUsage).isBetween(LIMIT_BYTES / 2, LIMIT_BYTES));
    }
  }

  @Test
  void chart_memoryLimit_isSet() throws Exception {
    assertThat(MemoryLimit.readFromChart()).isBetween(64L << 20, 4L << 30);
  }
}
