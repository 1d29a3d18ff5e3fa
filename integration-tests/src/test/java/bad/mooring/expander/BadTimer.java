package bad.mooring.expander;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.Timer;

/** R14: starts its own timers. */
final class BadTimer {
  private final Timer timer = new Timer();

  void startTimer(Time time) throws InterruptedException {
    time.schedule(Duration.ofSeconds(1), timer::cancel);
    Thread.sleep(1);
  }
}
