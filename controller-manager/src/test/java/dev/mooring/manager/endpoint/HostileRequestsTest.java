package dev.mooring.manager.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.SubjectReviews;
import dev.mooring.testkit.RetainedElements;
import dev.mooring.testkit.TestWait;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Malformed requests to an endpoint that requires credentials. None causes an internal error,
 * discloses protected data, or leaks a thread.
 */
class HostileRequestsTest {
  private static final int REQUESTS = Integer.getInteger("mooring.endpoints.requests", 600);
  private static final int CLIENTS = 4;

  /** Maximum number of cached reviews. */
  private static final int MAX_CACHED_REVIEWS = 1000;

  private static final String SECRET = "the_metrics_of_another 1";
  private static final List<String> FRAGMENTS =
      List.of(
          "GET",
          "POST",
          "HEAD",
          "OPTIONS",
          "PRI",
          "get",
          " ",
          "  ",
          "\t",
          "\r\n",
          "\n",
          "\r",
          "\0",
          ":",
          "/",
          "/metrics",
          "/livez",
          "/deletions/resume",
          "*",
          "..",
          "%2e%2e",
          "%00",
          "%",
          "?",
          "#",
          "http://x/metrics",
          " HTTP/1.1",
          " HTTP/1.0",
          " HTTP/2.0",
          " HTTP/9",
          "\r\nHost: x",
          "\r\nContent-Length: ",
          "-1",
          "0",
          "5",
          "99999999999999999999",
          "\r\nTransfer-Encoding: chunked",
          "\r\nExpect: 100-continue",
          "\r\nConnection: keep-alive",
          "\r\nUpgrade: h2c",
          "\r\nAuthorization: ",
          "Bearer ",
          "Bearer x",
          "Basic Og==",
          "\r\nMooring-Command: x",
          "\r\n X: folded",
          "\r\n: nameless",
          "\r\n\r\n",
          "0\r\n\r\n",
          "fffffffffffffffff\r\n",
          "\u00ff",
          "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n",
          "A".repeat(9000));

  @TempDir private Path folder;

  private static byte[] randomRequest(Random random) {
    StringBuilder text = new StringBuilder();
    boolean isAlmostValid = random.nextBoolean();
    if (isAlmostValid) {
      text.append("GET /metrics HTTP/1.1\r\nHost: x");
    }
    for (int i = random.nextInt(8) + 1; i > 0; i--) {
      text.append(FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
    }
    if (isAlmostValid) {
      text.append("\r\n\r\n");
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    for (int i = random.nextInt(3); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }

  @Test
  @Timeout(3000)
  void send_malformedRequests_causeNoFaultDisclosureOrLeak() throws Exception {
    Path clients = Files.writeString(folder.resolve("ca.pem"), new CertificateAuthority().pem());
    try (ApiServer api = ApiServer.start(new ApiServer.ServerOptions(0, "everything", null));
        KubeConnection connection =
            KubeConnection.ofFiles(
                List.of(Files.writeString(folder.resolve("config"), api.kubeconfig())),
                "",
                "test")) {
      AtomicInteger resumed = new AtomicInteger();
      EndpointServer endpoints =
          EndpointServer.start(
              new EndpointConfig(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                  Optional.empty(),
                  Optional.of(clients)),
              new EndpointServer.Answers(
                  () -> "",
                  out -> out.write(SECRET.getBytes(StandardCharsets.UTF_8)),
                  () -> {
                    resumed.incrementAndGet();
                    return "";
                  }),
              new SubjectReviews(connection),
              new SystemTime());
      RawClient client = new RawClient(endpoints.address().getPort(), Optional.empty());
      try {
        assertThat(client.request("GET", "/livez")).startsWith("200 ok");
        long threadsBefore = countThreads();
        send(client, REQUESTS / 10, 4711);
        Map<String, Integer> cachedBefore =
            RetainedElements.countFrom(endpoints, KubeConnection.class);
        assertThat(cachedBefore).as("cached reviews").isNotEmpty();
        send(client, REQUESTS, 815);
        assertThat(resumed).hasValue(0);
        assertThat(client.request("GET", "/livez")).startsWith("200 ok");
        TestWait.until(
            () -> threadsBefore + " threads before, " + countThreads() + " after",
            () -> countThreads() <= threadsBefore);
        // the server ends a connection after its client has read the answer
        TestWait.until(
            () -> "grown: " + findGrowth(endpoints, cachedBefore),
            () -> findGrowth(endpoints, cachedBefore).isEmpty());
      } finally {
        endpoints.stop();
      }
    }
  }

  /** Returns the collections that are larger than permitted, with their sizes. */
  private static Map<String, Integer> findGrowth(
      EndpointServer endpoints, Map<String, Integer> sizesBefore) {
    Map<String, Integer> sizes =
        new TreeMap<>(RetainedElements.countFrom(endpoints, KubeConnection.class));
    sizes
        .entrySet()
        .removeIf(entry ->
            entry.getValue()
                <= (entry.getKey().contains(".answers")
                    ? MAX_CACHED_REVIEWS
                    : sizesBefore.getOrDefault(entry.getKey(), 0)));
    return sizes;
  }

  /** Counts threads, except those of the API server and its client, which start when needed. */
  private static long countThreads() {
    Thread[] threads = new Thread[2 * Thread.activeCount()];
    int count = Thread.enumerate(threads);
    return Stream.of(threads)
        .limit(count)
        .filter(thread -> !thread.getName().matches("(multiThreadIoEventLoopGroup|OkHttp).*"))
        .count();
  }

  private static void send(RawClient client, int requests, long seeds) throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(CLIENTS)) {
      List<Future<?>> senders = new ArrayList<>();
      for (int c = 0; c < CLIENTS; c++) {
        long seed = seeds + c;
        senders.add(
            pool.submit(() -> {
              Random random = new Random(seed);
              for (int i = 0; i < requests / CLIENTS; i++) {
                byte[] request = randomRequest(random);
                String answer = sendAndRead(client, request);
                assertThat(answer)
                    .as(() -> "to " + new String(request, StandardCharsets.ISO_8859_1))
                    .doesNotContain(SECRET, "\tat ")
                    // 501 is the answer to an unknown transfer encoding
                    .doesNotContainPattern("HTTP/1\\.1 5(?!01 )");
              }
              return null;
            }));
      }
      for (Future<?> sender : senders) {
        sender.get();
      }
    }
  }

  private static String sendAndRead(RawClient client, byte[] request) {
    try {
      return client.send(request);
    } catch (IOException e) {
      return ""; // the server may close the connection
    }
  }
}
