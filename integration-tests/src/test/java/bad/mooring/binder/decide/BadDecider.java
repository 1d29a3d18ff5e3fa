package bad.mooring.binder.decide;

import java.io.File;
import java.time.Instant;

/** R1, R2: reads the disk and the clock, and has state. */
public class BadDecider {
  private int calls;

  public boolean decide() {
    calls++;
    return new File("/").exists() && Instant.now().getEpochSecond() > calls;
  }
}
