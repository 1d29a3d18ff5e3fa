package dev.mooring.benchmarks.scale;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.benchmarks.BenchOutput;
import dev.mooring.benchmarks.PollingWait;
import dev.mooring.benchmarks.SvgChart;
import dev.mooring.benchmarks.SvgChart.ChartPoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Question: what does the console cost on a large cluster? {@code mooring console}, as the
 * assembled jar with the launcher's JVM flags, against 45,000 bound pairs and 5,000 pending claims.
 * The benchmark requests every page repeatedly while ten claims change each second. Limits: the
 * first overview, of the objects read so far, within 0.3 s; 200 MiB resident when all objects are
 * read, and at the peak. Reference: the time in which the server answers a list of all claims,
 * which is printed.
 */
public final class ConsoleBench {
  private static final int BOUND = 45_000;
  private static final int PENDING = 5_000;
  private static final double LIMIT_SECONDS = 0.3;
  private static final int LIMIT_MIB = 200;
  private static final int SECONDS = Integer.getInteger("bench.seconds", 60);
  private static final PollingWait READ_TIMEOUT = PollingWait.of(50, 300);
  private static final String READING = "still being read";
  private static final String URL_PREFIX = "console at ";
  private static final List<String> PAGES =
      List.of(
          "", "waiting",
          "claims", "claims?q=c-77&namespace=",
          "claims/default/c-77", "claims/default/w-77",
          "volumes", "volumes/v-77",
          "classes", "plugins");

  private final HttpClient http = HttpClient.newHttpClient();
  private final ApiServer server;
  private final List<ChartPoint> points = new ArrayList<>();

  private ConsoleBench(ApiServer server) {
    this.server = server;
  }

  public static void main(String[] args) throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS)) {
      new ConsoleBench(server).run();
    }
  }

  private void run() throws Exception {
    BenchOutput.progress(
        "filling the server with " + BOUND + " volumes and " + (BOUND + PENDING) + " claims ...");
    fill(server.handlers());
    double listSeconds = measureSeconds(server.url() + "/api/v1/persistentvolumeclaims");
    try (ManagerProcess console = ManagerProcess.console(server)) {
      String line = console.awaitLine(URL_PREFIX);
      String url = line.substring(line.indexOf(URL_PREFIX) + URL_PREFIX.length()).split(" ", 2)[0];
      long start = System.nanoTime();
      double firstSeconds = measureSeconds(url);
      READ_TIMEOUT.until(
          "the page at " + url + " is " + READING, () -> !fetchBody(url).contains(READING));
      double completeSeconds = secondsSince(start);
      long residentMib = console.residentMib();
      BenchOutput.progress("requesting pages for " + SECONDS + " s ...");
      double[] pageSeconds = requestPages(console, url);
      report(
          new ConsoleResult(
              listSeconds,
              firstSeconds,
              completeSeconds,
              residentMib,
              console.peakMib(),
              pageSeconds));
    }
  }

  /**
   * Results.
   *
   * @param listSeconds seconds in which the server lists all claims
   * @param firstSeconds seconds until the first overview
   * @param completeSeconds seconds until the first overview of all objects
   * @param residentMib MiB resident by then
   * @param peakMib peak MiB resident
   * @param pageSeconds seconds of each request, ascending
   */
  private record ConsoleResult(
      double listSeconds,
      double firstSeconds,
      double completeSeconds,
      long residentMib,
      long peakMib,
      double[] pageSeconds) {
    double quantile(double fraction) {
      return pageSeconds[(int) ((pageSeconds.length - 1) * fraction)];
    }
  }

  private double[] requestPages(ManagerProcess console, String url) throws Exception {
    List<Double> pageSeconds = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; secondsSince(start) < SECONDS; i++) {
      changeClaim(server.handlers(), i);
      pageSeconds.add(measureSeconds(url + PAGES.get(i % PAGES.size())));
      points.add(new ChartPoint(secondsSince(start), console.residentMib()));
      Thread.sleep(100); // interval between changes of claims
    }
    double[] sorted = pageSeconds.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }

  private double measureSeconds(String url) throws IOException, InterruptedException {
    long start = System.nanoTime();
    fetchBody(url);
    return secondsSince(start);
  }

  private String fetchBody(String url) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(url + " was answered with status " + answer.statusCode());
    }
    return answer.body();
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private static void fill(ObjectHandlers handlers) throws StatusException {
    AttachedClusterFill fill = new AttachedClusterFill(handlers);
    for (int i = 0; i < BOUND; i++) {
      fill.createBoundVolume(i);
    }
    ServerObjects objects = new ServerObjects(handlers);
    for (int i = 0; i < PENDING; i++) {
      objects.create(
          KindCatalogue.CLAIMS,
          "default",
          "{'metadata': {'name': 'w-%d', 'finalizers': ['kubernetes.io/pvc-protection']}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': 's', 'resources': {'requests': {'storage': '2Gi'}}}}"
              .formatted(i));
    }
  }

  private static void changeClaim(ObjectHandlers handlers, int i) throws StatusException {
    handlers.update(
        KindCatalogue.CLAIMS,
        "default",
        "c-" + i % BOUND,
        WriteOptions.PLAIN,
        current -> {
          JsonObject labels = new JsonObject();
          labels.addProperty("changed", Integer.toString(i));
          current.getAsJsonObject("metadata").add("labels", labels);
          return current;
        });
  }

  private void report(ConsoleResult result) throws IOException {
    System.out.printf(
        "%d volumes, %d claims: first overview after %.2f s, all objects read after %.2f s (the server lists all claims in %.2f s), %d MiB resident then, %d MiB at the peak%n",
        BOUND,
        BOUND + PENDING,
        result.firstSeconds,
        result.completeSeconds,
        result.listSeconds,
        result.residentMib,
        result.peakMib);
    System.out.printf(
        "%d pages while claims change: median %.2f s, p99 %.2f s%n",
        result.pageSeconds.length, result.quantile(0.5), result.quantile(0.99));
    BenchOutput.reportLimit(
        "the first overview within " + LIMIT_SECONDS + " s", result.firstSeconds <= LIMIT_SECONDS);
    BenchOutput.reportLimit(
        "at most " + LIMIT_MIB + " MiB resident when all objects are read",
        result.residentMib <= LIMIT_MIB);
    BenchOutput.reportLimit(
        "at most " + LIMIT_MIB + " MiB resident at the peak", result.peakMib <= LIMIT_MIB);
    JsonObject json = new JsonObject();
    json.addProperty("listSeconds", result.listSeconds);
    json.addProperty("firstSeconds", result.firstSeconds);
    json.addProperty("wholeSeconds", result.completeSeconds);
    json.addProperty("residentMib", result.residentMib);
    json.addProperty("peakMib", result.peakMib);
    json.addProperty("pageSeconds", result.quantile(0.5));
    json.addProperty("pageSecondsP99", result.quantile(0.99));
    BenchOutput.write(
        "console",
        json,
        SvgChart.line("resident MiB over seconds; the line is the limit", points, LIMIT_MIB));
  }
}
