package dev.mooring.it;

import java.time.Duration;
import java.util.List;

/** A replica of {@code mooring run --rehearse}. Class loaders of planted bugs share this type. */
public interface RehearsingReplica {
  /** Starts the replica and returns when its controllers rehearse. */
  void start(List<String> flags) throws Exception;

  boolean isIdle();

  /** Advances the clock of the rehearsal, and returns its end state. */
  String finish(Duration advanced) throws Exception;

  /** Waits until the replica leads. */
  void awaitLeadership() throws Exception;

  void stop() throws Exception;
}
