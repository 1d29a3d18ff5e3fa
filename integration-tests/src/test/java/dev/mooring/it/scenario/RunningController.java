package dev.mooring.it.scenario;

/** The controllers under test, which a scenario starts and stops. */
interface RunningController {
  void start(java.util.List<String> flags) throws Exception;

  void stop() throws Exception;

  /** Returns whether the controller has no work now. */
  boolean isIdle();

  /** Returns what keeps the controller from being idle, for messages. */
  default String describeActivity() {
    return "idle: " + isIdle();
  }
}
