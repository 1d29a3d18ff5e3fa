package dev.mooring.benchmarks.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Options of {@code mooring bench --cluster}.
 *
 * @param cluster path of a kubeconfig, or {@link #EMBEDDED} for an embedded server
 * @param peer command line of another controller: contains {@code {kubeconfig}} and, for
 *     kube-controller-manager, {@code {controllers}} and {@code {election}}; "" for none
 * @param count units in each round
 * @param rounds rounds of each contender
 * @param delayMillis delay that is added to every request between a controller and the server
 */
record BenchOptions(
    String cluster,
    String peer,
    List<ClusterWork> works,
    List<StartMode> starts,
    int count,
    int rounds,
    int delayMillis) {
  static final String EMBEDDED = "embedded";

  /**
   * Parses the command line; throws {@link IllegalArgumentException} with the reason if it is
   * invalid.
   */
  static BenchOptions of(List<String> args) {
    String cluster = EMBEDDED;
    String peer = "";
    List<ClusterWork> works = WorkCatalog.ALL;
    List<StartMode> starts = List.of(StartMode.COLD, StartMode.WARM);
    int count = 500;
    int rounds = 5;
    int delay = 0;
    List<String> remaining = new ArrayList<>(args);
    while (!remaining.isEmpty()) {
      String name = remaining.removeFirst();
      switch (name) {
        case "--cluster" -> {
          if (!remaining.isEmpty() && !remaining.getFirst().startsWith("--")) {
            cluster = remaining.removeFirst();
          }
        }
        case "--peer" -> peer = takeValue(name, remaining);
        case "--works" -> works = list(takeValue(name, remaining), WorkCatalog::parse);
        case "--starts" -> starts = list(takeValue(name, remaining), StartMode::parse);
        case "--count" -> count = number(name, takeValue(name, remaining), 1, 100_000);
        case "--rounds" -> rounds = number(name, takeValue(name, remaining), 1, 100);
        case "--delay-ms" -> delay = number(name, takeValue(name, remaining), 0, 1000);
        default ->
            throw new IllegalArgumentException(
                "unknown option of --cluster '"
                    + name
                    + "'; options: --peer, --works, --starts, --count, --rounds, --delay-ms");
      }
    }
    checkPeer(peer, starts);
    return new BenchOptions(cluster, peer, works, starts, count, rounds, delay);
  }

  private static void checkPeer(String peer, List<StartMode> starts) {
    if (!peer.isEmpty() && !peer.contains(BenchContender.PeerProcess.KUBECONFIG)) {
      throw new IllegalArgumentException(
          "--peer '" + peer + "' has no place for the kubeconfig: add {kubeconfig}");
    }
    if (!peer.isEmpty()
        && starts.stream().anyMatch(StartMode::needsElection)
        && !peer.contains(BenchContender.PeerProcess.ELECTION)) {
      throw new IllegalArgumentException(
          "--peer '"
              + peer
              + "' has no place for the election's flags: add {election}, or omit takeover and expiry from --starts");
    }
  }

  private static String takeValue(String name, List<String> remaining) {
    if (remaining.isEmpty()) {
      throw new IllegalArgumentException(name + " wants a value");
    }
    return remaining.removeFirst();
  }

  private static int number(String name, String value, int min, int max) {
    try {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        name + " must be a number from " + min + " to " + max + ", was '" + value + "'");
  }

  private static <T> List<T> list(String names, Function<String, T> parser) {
    return Arrays.stream(names.split(",", -1)).map(parser).toList();
  }
}
