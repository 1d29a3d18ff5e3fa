package dev.mooring.benchmarks.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * What is measured, where.
 *
 * @param cluster a kubeconfig; {@link #EMBEDDED} for a server of its own
 * @param peer the command line of another controller, with {@code {kubeconfig}} in it, and {@code
 *     {controllers}} where kube-controller-manager takes their names; "" for none
 * @param works what controllers have to do
 * @param starts how they are found by it
 * @param count how often in each round
 * @param rounds how often with each of them, in turns
 * @param delayMillis how long a request takes on its way to the server and back
 */
record BenchOptions(
    String cluster,
    String peer,
    List<Work> works,
    List<Start> starts,
    int count,
    int rounds,
    int delayMillis) {
  static final String EMBEDDED = "embedded";

  /** The command line. {@link IllegalArgumentException} says what is wrong with it. */
  static BenchOptions of(List<String> args) {
    String cluster = EMBEDDED;
    String peer = "";
    List<Work> works = Works.ALL;
    List<Start> starts = List.of(Start.values());
    int count = 500;
    int rounds = 5;
    int delay = 0;
    List<String> left = new ArrayList<>(args);
    while (!left.isEmpty()) {
      String name = left.removeFirst();
      switch (name) {
        case "--cluster" -> {
          if (!left.isEmpty() && !left.getFirst().startsWith("--")) {
            cluster = left.removeFirst();
          }
        }
        case "--peer" -> peer = value(name, left);
        case "--works" -> works = list(value(name, left), Works::named);
        case "--starts" -> starts = list(value(name, left), Start::named);
        case "--count" -> count = number(name, value(name, left), 1, 100_000);
        case "--rounds" -> rounds = number(name, value(name, left), 1, 100);
        case "--delay-ms" -> delay = number(name, value(name, left), 0, 1000);
        default ->
            throw new IllegalArgumentException(
                "--cluster has no option '"
                    + name
                    + "': there are --peer, --works, --starts, --count, --rounds and --delay-ms");
      }
    }
    if (!peer.isEmpty() && !peer.contains(Contender.Peer.KUBECONFIG)) {
      throw new IllegalArgumentException(
          "--peer '" + peer + "' does not say where its kubeconfig goes: write {kubeconfig}");
    }
    return new BenchOptions(cluster, peer, works, starts, count, rounds, delay);
  }

  private static String value(String name, List<String> left) {
    if (left.isEmpty()) {
      throw new IllegalArgumentException(name + " wants a value");
    }
    return left.removeFirst();
  }

  private static int number(String name, String value, int least, int most) {
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException none) {
      // said below
    }
    throw new IllegalArgumentException(
        name + " is a number from " + least + " to " + most + ", was '" + value + "'");
  }

  private static <T> List<T> list(String names, Function<String, T> named) {
    return Arrays.stream(names.split(",", -1)).map(named).toList();
  }
}
