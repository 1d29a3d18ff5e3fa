package dev.mooring.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Checks that the soak would notice a process killed by its memory limit. */
class MemoryLimitTest {
  private static final long BYTES = 32L << 20;

  /** Reads a single line, so it keeps all its input in memory. */
  private static String holding(int bytes) {
    return "head -c " + bytes + " /dev/zero | tail >/dev/null; true";
  }

  private static void run(MemoryLimit limit, String line) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(limit.launcher());
    command.addAll(List.of("sh", "-c", line));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void process_overLimit_isKilledAndCounted() throws Exception {
    Optional<MemoryLimit> made =
        MemoryLimit.of("mooring-limit-" + ProcessHandle.current().pid(), BYTES);
    Assumptions.assumeTrue(made.isPresent(), "skipped: this machine lets us make no cgroup");
    try (MemoryLimit limit = made.get()) {
      run(limit, holding(8_000_000));
      assertThat(limit.killedCount()).isZero();
      run(limit, holding(200_000_000));
      assertThat(limit.killedCount()).isEqualTo(1);
      limit.peakUsage().ifPresent(peakUsage -> assertThat(peakUsage).isBetween(BYTES / 2, BYTES));
    }
  }

  @Test
  void chart_memoryLimit_isSet() throws Exception {
    assertThat(MemoryLimit.ofTheChart()).isBetween(64L << 20, 4L << 30);
  }
}
