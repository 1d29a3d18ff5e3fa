package dev.mooring.thread;

/** Makes threads, so that a test can own them. Implementations are thread-safe. */
@FunctionalInterface
public interface ThreadSource {
  /** Virtual threads of the JDK. */
  ThreadSource VIRTUAL = (name, body) -> Thread.ofVirtual().name(name).unstarted(body);

  /**
   * A thread that is not started yet.
   *
   * @param name its name
   * @param body what it does
   */
  Thread thread(String name, Runnable body);
}
