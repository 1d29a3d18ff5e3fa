package dev.mooring.benchmarks.scale;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.Handlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.benchmarks.Await;
import dev.mooring.benchmarks.Plot;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Question: what does the page cost beside a large cluster? {@code mooring console}, as the
 * assembled jar with the launcher's JVM flags, against 45,000 bound pairs and 5,000 claims that
 * wait; every page is asked for again and again while claims change ten times a second. Bars: the
 * first overview, of what has been read by then, within 0.3 s; 200 MiB resident when all is read,
 * and at the peak. Limit beside them: the server answers the list of all claims, read and thrown
 * away, in the time that is printed.
 */
public final class ConsoleBench {
  private static final int BOUND = 45_000;
  private static final int WAITING = 5_000;
  private static final double BAR_SECONDS = 0.3;
  private static final int BAR_MIB = 200;
  private static final int SECONDS = Integer.getInteger("bench.seconds", 60);
  private static final Await WHOLE = Await.of(50, 300);
  private static final String READING = "still being read";
  private static final String AT = "console at ";
  private static final List<String> PAGES =
      List.of(
          "",
          "waiting",
          "claims",
          "claims?q=c-77&namespace=",
          "claims/default/c-77",
          "claims/default/w-77",
          "volumes",
          "volumes/v-77",
          "classes",
          "plugins");

  private final HttpClient http = HttpClient.newHttpClient();
  private final ApiServer server;
  private final List<Plot.Point> points = new ArrayList<>();

  private ConsoleBench(ApiServer server) {
    this.server = server;
  }

  /** Runs it, prints what came out, writes JSON and a plot of resident memory over time. */
  public static void main(String[] args) throws Exception {
    try (ApiServer server = ApiServer.start(ApiServer.Config.DEFAULTS)) {
      new ConsoleBench(server).run();
    }
  }

  private void run() throws Exception {
    Progress.say(
        "filling the server with " + BOUND + " volumes and " + (BOUND + WAITING) + " claims ...");
    fill(server.handlers());
    double limit = seconds(server.url() + "/api/v1/persistentvolumeclaims");
    try (ManagerProcess console = ManagerProcess.console(server)) {
      String line = console.awaitLine(AT);
      String url = line.substring(line.indexOf(AT) + AT.length()).split(" ", 2)[0];
      long began = System.nanoTime();
      double first = seconds(url);
      WHOLE.until("the page at " + url + " is " + READING, () -> !body(url).contains(READING));
      double whole = since(began);
      long begun = console.residentMib();
      Progress.say("asking for pages for " + SECONDS + " s ...");
      double[] took = use(console, url);
      report(new Measured(limit, first, whole, begun, console.peakMib(), took));
    }
  }

  /**
   * What came out.
   *
   * @param limit how long the server takes to list all claims, in seconds
   * @param first how long the first overview took
   * @param whole when it was the first that had everything
   * @param begun MiB resident by then
   * @param peak the most ever
   * @param took how long each page took, in order
   */
  private record Measured(
      double limit, double first, double whole, long begun, long peak, double[] took) {
    double p(double part) {
      return took[(int) ((took.length - 1) * part)];
    }
  }

  private double[] use(ManagerProcess console, String url) throws Exception {
    List<Double> took = new ArrayList<>();
    long began = System.nanoTime();
    for (int i = 0; since(began) < SECONDS; i++) {
      change(server.handlers(), i);
      took.add(seconds(url + PAGES.get(i % PAGES.size())));
      points.add(new Plot.Point(since(began), console.residentMib()));
      Thread.sleep(100); // so often claims change
    }
    double[] sorted = took.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }

  private double seconds(String url) throws IOException, InterruptedException {
    long began = System.nanoTime();
    body(url);
    return since(began);
  }

  private String body(String url) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(url + " was answered with " + answer.statusCode());
    }
    return answer.body();
  }

  private static double since(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  private static void fill(Handlers handlers) throws Problem {
    AttachWorldFill world = new AttachWorldFill(handlers);
    for (int i = 0; i < BOUND; i++) {
      world.volume(i);
    }
    for (int i = 0; i < WAITING; i++) {
      create(
          handlers,
          KindCatalogue.CLAIMS,
          "default",
          """
          {"metadata": {"name": "w-%d", "finalizers": ["kubernetes.io/pvc-protection"]}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "s", "resources": {"requests": {"storage": "2Gi"}}}}
          """
              .formatted(i));
    }
  }

  private static void create(Handlers handlers, ResourceType type, String namespace, String json)
      throws Problem {
    handlers.create(
        type, namespace, JsonParser.parseString(json).getAsJsonObject(), WriteOptions.PLAIN);
  }

  private static void change(Handlers handlers, int i) throws Problem {
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

  private void report(Measured of) throws IOException {
    System.out.printf(
        "%d volumes, %d claims: the first overview after %.2f s, all read after %.2f s (the server lists all claims in %.2f s), %d MiB resident then, %d at the peak%n",
        BOUND, BOUND + WAITING, of.first, of.whole, of.limit, of.begun, of.peak);
    System.out.printf(
        "%d pages while claims change: %.2f s in the middle, %.2f s p99%n",
        of.took.length, of.p(0.5), of.p(0.99));
    Progress.bar("the first overview within " + BAR_SECONDS + " s", of.first <= BAR_SECONDS);
    Progress.bar("at most " + BAR_MIB + " MiB resident when all is read", of.begun <= BAR_MIB);
    Progress.bar("at most " + BAR_MIB + " MiB resident at the peak", of.peak <= BAR_MIB);
    JsonObject json = new JsonObject();
    json.addProperty("listSeconds", of.limit);
    json.addProperty("firstSeconds", of.first);
    json.addProperty("wholeSeconds", of.whole);
    json.addProperty("residentMib", of.begun);
    json.addProperty("peakMib", of.peak);
    json.addProperty("pageSeconds", of.p(0.5));
    json.addProperty("pageSecondsP99", of.p(0.99));
    Path target = Path.of(System.getProperty("bench.out", "benchmarks/target"));
    Files.createDirectories(target);
    Files.writeString(
        target.resolve("console.json"),
        new GsonBuilder().setPrettyPrinting().create().toJson(json));
    Files.writeString(
        target.resolve("console.svg"),
        Plot.line("MiB resident over seconds; the line is the bar", points, BAR_MIB));
    System.out.println(
        "written: " + target.resolve("console.json") + ", " + target.resolve("console.svg"));
  }
}
