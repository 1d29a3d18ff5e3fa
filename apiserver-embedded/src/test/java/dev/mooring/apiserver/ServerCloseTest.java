package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServerCloseTest {
  private static final int CONNECTIONS = 8;
  private static final byte[] REQUESTS =
      "GET /api/v1/configmaps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer tok\r\n\r\n"
          .repeat(100)
          .getBytes(StandardCharsets.US_ASCII);

  @RepeatedTest(3)
  void close_requestsInProgress_closesEveryConnection() throws Exception {
    ApiServer server = NamespacesTest.start();
    CountDownLatch answered = new CountDownLatch(CONNECTIONS);
    ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    try {
      List<Future<Boolean>> ends = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        ends.add(clients.submit(() -> readUntilEnd(server.port(), answered)));
      }
      assertThat(answered.await(30, TimeUnit.SECONDS)).isTrue();
      server.close();
      for (Future<Boolean> end : ends) {
        assertThat(end.get(30, TimeUnit.SECONDS)).isTrue();
      }
    } finally {
      clients.shutdownNow();
    }
  }

  /** Sends requests without waiting for the answers, and reads until the server closes. */
  private static boolean readUntilEnd(int port, CountDownLatch answered) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(REQUESTS);
      int value = socket.getInputStream().read();
      answered.countDown();
      while (value >= 0) {
        value = socket.getInputStream().read();
      }
    } catch (IOException reset) {
      answered.countDown(); // the kernel resets a connection with unread requests
    }
    return true;
  }

  @Test
  void close_secondCall_doesNothing() throws Exception {
    ApiServer server = NamespacesTest.start();
    server.close();
    server.close();
  }
}
