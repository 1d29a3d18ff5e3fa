package dev.mooring.apiserver.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NodeSimulatorTest {
  private static Set<Thread> findThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("simulated-nodes"))
        .collect(Collectors.toSet());
  }

  /** The simulator must not write to a server that is closed after it. */
  @Test
  void close_returned_threadHasEnded() throws IOException {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      for (int i = 0; i < 20; i++) {
        Set<Thread> otherThreads = findThreads();
        NodeSimulator nodes = NodeSimulator.start(server.handlers(), 2);
        Set<Thread> ownThreads = findThreads();
        ownThreads.removeAll(otherThreads);
        assertThat(ownThreads).hasSize(1);
        nodes.close();
        assertThat(ownThreads).noneMatch(Thread::isAlive);
      }
    }
  }
}
