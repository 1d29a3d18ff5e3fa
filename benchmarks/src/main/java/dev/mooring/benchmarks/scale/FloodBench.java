package dev.mooring.benchmarks.scale;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.benchmarks.Curves;
import dev.mooring.benchmarks.Plot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Question: what does a namespace that is full of claims which hope in vain cost another one? They
 * are of every shape that makes a search long, beside as many volumes (10,000 at most) that suit
 * none of them; the assembled jar against the embedded server. Bar: p99 of a bind 250 ms beside
 * 50,000. Limit beside it: the same beside 1,000. What a single decision costs is asked by {@code
 * --decisions}.
 */
public final class FloodBench {
  private static final int[] SIZES = {1_000, 10_000, 50_000, 100_000};
  private static final int MOST_VOLUMES = 10_000;
  private static final String FLOODED = "flooded";
  private static final Duration START = Duration.ofMinutes(5);
  private static final int WARM_UP = 200;
  private static final int BINDS = 500;
  private static final int OF_THE_BAR = 50_000;
  private static final double BAR_MILLIS = 250;

  private static final List<IntFunction<String>> SHAPES =
      List.of(
          i -> "'matchLabels': {'id': 'none-%d'}".formatted(i),
          i ->
              "'matchLabels': {'half': 'a', 'other': 'a'}, 'matchExpressions': [{'key': 'x%d', 'operator': 'DoesNotExist'}]"
                  .formatted(i),
          i ->
              "'matchExpressions': [{'key': 'all', 'operator': 'NotIn', 'values': ['same', 'x%d']}]"
                  .formatted(i),
          i -> "'matchExpressions': [%s]".formatted(hundredTerms(i)),
          i -> "'matchLabels': {'id': '%s'}".formatted(ofOneHash(i)));

  private record Result(int waiting, double median, double p99, double longest, double idle) {}

  private FloodBench() {}

  private static String hundredTerms(int number) {
    return IntStream.range(0, 100)
        .mapToObj(term ->
            "{'key': '%s', 'operator': 'NotIn', 'values': ['same', 'n%d']}"
                .formatted(term == 0 ? "all" : "l" + term, number))
        .collect(Collectors.joining(","));
  }

  /** Texts that differ and have the same hash. */
  private static String ofOneHash(int number) {
    return IntStream.range(0, 17)
        .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
        .collect(Collectors.joining());
  }

  /**
   * Runs the sizes, prints a table, writes JSON and curves.
   *
   * @param sizes none for the usual ones
   */
  public static void measure(int... sizes) throws Exception {
    List<Result> results = new ArrayList<>();
    for (int size : sizes.length > 0 ? sizes : SIZES) {
      try (ApiServer server = ApiServer.start(ApiServer.Config.DEFAULTS)) {
        results.add(run(server, size));
      }
    }
    print(results);
    write(results);
  }

  private static Result run(ApiServer server, int size) throws Exception {
    Progress.say("filling the server with " + size + " claims that nothing suits ...");
    BindProbe probe = new BindProbe(server.handlers());
    flood(probe, size);
    probe.volumes(1 + WARM_UP + BINDS);
    try (ManagerProcess process = ManagerProcess.start(server)) {
      Progress.say("ready after %.1f s".formatted(probe.bindOne(START) / 1000));
      probe.bind(WARM_UP);
      BindProbe.Times took = probe.bind(BINDS);
      Result result =
          new Result(size, took.median(), took.p99(), took.longest(), process.cores(30));
      Progress.say("a bind: median %.1f ms, p99 %.1f ms".formatted(result.median, result.p99));
      return result;
    }
  }

  private static void flood(BindProbe probe, int size) throws Problem {
    probe.create(KindCatalogue.NAMESPACES, "", "{'metadata': {'name': '%s'}}".formatted(FLOODED));
    for (int i = 0; i < Math.min(size, MOST_VOLUMES); i++) {
      probe.create(
          KindCatalogue.VOLUMES,
          "",
          "{'metadata': {'name': 'v-%d', 'labels': {'all': 'same', '%s': 'a', 'id': 'v-%d'}}, 'spec': {'capacity': {'storage': '%dGi'}, 'accessModes': ['ReadWriteOnce'], 'nfs': {'server': 'n', 'path': '/%d'}}}"
              .formatted(i, i % 2 == 0 ? "half" : "other", i, 1 + i % 100, i));
    }
    for (int i = 0; i < size; i++) {
      probe.create(
          KindCatalogue.CLAIMS,
          FLOODED,
          "{'metadata': {'name': 'c-%d'}, 'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': '', 'selector': {%s}, 'resources': {'requests': {'storage': '1Gi'}}}}"
              .formatted(i, SHAPES.get(i % SHAPES.size()).apply(i)));
    }
  }

  private static void print(List<Result> results) {
    System.out.printf(
        "%14s %12s %12s %12s %12s%n", "claims waiting", "median", "p99", "longest", "idle cores");
    for (Result r : results) {
      System.out.printf(
          "%14d %9.1f ms %9.1f ms %9.1f ms %12.3f%n",
          r.waiting, r.median, r.p99, r.longest, r.idle);
    }
    for (Result r : results) {
      if (r.waiting == OF_THE_BAR) {
        Progress.bar("p99 of a bind 250 ms beside 50,000 waiting claims", r.p99 <= BAR_MILLIS);
      }
    }
  }

  private static void write(List<Result> results) throws IOException {
    JsonArray json = new JsonArray();
    List<Plot.Point> median = new ArrayList<>();
    List<Plot.Point> p99 = new ArrayList<>();
    for (Result r : results) {
      JsonObject one = new JsonObject();
      one.addProperty("waiting", r.waiting);
      one.addProperty("bindMedianMillis", r.median);
      one.addProperty("bindP99Millis", r.p99);
      one.addProperty("bindLongestMillis", r.longest);
      one.addProperty("idleCores", r.idle);
      json.add(one);
      median.add(new Plot.Point(r.waiting, r.median));
      p99.add(new Plot.Point(r.waiting, r.p99));
    }
    Map<String, List<Plot.Point>> curves = new LinkedHashMap<>();
    curves.put("median of a bind, milliseconds", median);
    curves.put("p99 (bar beside 50,000: 250)", p99);
    Path target = Path.of(System.getProperty("bench.out", "benchmarks/target"));
    Files.createDirectories(target);
    Files.writeString(
        target.resolve("flood.json"), new GsonBuilder().setPrettyPrinting().create().toJson(json));
    Files.writeString(
        target.resolve("flood.svg"), Curves.svg("claims of another namespace that wait", curves));
    System.out.println(
        "written: " + target.resolve("flood.json") + ", " + target.resolve("flood.svg"));
  }
}
