package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.operation.Completion;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationsTest {
  private final SimTime time = new SimTime();
  private final List<Runnable> begun = new ArrayList<>();
  private final Operations operations =
      new Operations(time, this::noted, new Lane(time, 8, 2), volume -> {});

  /** Whatever was begun runs when the test says so. */
  private Thread noted(Runnable job) {
    begun.add(job);
    return new Thread(() -> {});
  }

  private void detach(String volume) {
    operations.detach(
        VolumeId.of("example.com/disk", volume), "n1", false, turn -> Completion.DONE);
  }

  @Test
  void anAttachHasDetachesThatNobodyWaitsForMakeWay() {
    operations.attach(VolumeId.of("example.com/disk", "v"), "n1", () -> Completion.DONE);
    detach("a");
    detach("b");
    assertThat(begun).as("the attach and one detach").hasSize(2);
    begun.getLast().run();
    time.advance(Duration.ofMillis(25));
    assertThat(begun).hasSize(3);
  }

  @Test
  void withoutAnAttachTheyDoNot() {
    detach("a");
    detach("b");
    assertThat(begun).hasSize(2);
  }
}
