package dev.mooring.thread;

/** Factory of threads, which tests can replace. Implementations are thread-safe. */
@FunctionalInterface
public interface ThreadSource {
  ThreadSource VIRTUAL = (name, body) -> Thread.ofVirtual().name(name).unstarted(body);

  /**
   * Returns a thread that is not started.
   *
   * @param name name of the thread
   * @param body work of the thread
   */
  Thread newThread(String name, Runnable body);
}
