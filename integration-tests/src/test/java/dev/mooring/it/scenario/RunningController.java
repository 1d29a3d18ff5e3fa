package dev.mooring.it.scenario;

/** The controllers under test: started and stopped by a scenario. */
interface RunningController {
  void start(java.util.List<String> flags) throws Exception;

  void stop() throws Exception;

  /**
   * Whether it has nothing to do just now; a process of its own that cannot be asked is never idle
   * before the quiet time is over.
   */
  boolean isIdle();
}
