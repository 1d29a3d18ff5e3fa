package dev.mooring.manager.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FrugalHeapTest {
  private static final int MIB = 1 << 20;

  /** Retains objects until they are tenured, then drops them: 8 MiB at a time, 600 MiB in total. */
  static final class Churn {
    public static void main(String[] args) {
      if (args[0].equals("frugal")) {
        FrugalHeap.collectOnGrowth();
      }
      byte[][] retained = new byte[8 * MIB / 1024][];
      for (int i = 0; i < 600 * MIB / 1024; i++) {
        retained[i % retained.length] = new byte[1024];
      }
      System.out.print(
          ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted() / MIB);
    }
  }

  private static int measureCommittedMib(String mode) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xms16m",
                "-Xmx1g",
                "-XX:MaxNewSize=4m",
                "-cp",
                System.getProperty("java.class.path"),
                Churn.class.getName(),
                mode)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return Integer.parseInt(output);
  }

  @Test
  void begin_tenuredGarbage_isCollectedBeforeHeapGrows() throws Exception {
    List<Integer> mebibytes =
        List.of(measureCommittedMib("as usual"), measureCommittedMib("frugal"));
    assertThat(mebibytes.getFirst()).as("memory in use before").isGreaterThan(200);
    assertThat(mebibytes.getLast()).isLessThan(80);
  }
}
