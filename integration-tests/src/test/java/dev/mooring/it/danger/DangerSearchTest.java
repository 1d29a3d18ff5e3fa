package dev.mooring.it.danger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.forecast.ForecastTerms;
import dev.mooring.manager.danger.ClaimDanger;
import dev.mooring.manager.danger.ClusterContents;
import dev.mooring.manager.danger.ClusterForecast;
import dev.mooring.manager.danger.ClusterForecast.Outcome;
import dev.mooring.manager.danger.ClusterIndex;
import dev.mooring.manager.danger.DangerAct;
import dev.mooring.manager.danger.DangerAnalysis;
import dev.mooring.manager.danger.DangerSearch;
import dev.mooring.manager.danger.DangerSearch.TakenAct;
import dev.mooring.manager.danger.DangerState;
import dev.mooring.manager.danger.SearchInput;
import dev.mooring.manager.simulate.ClusterContentsReader;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.TestObjects;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Compares the search with all sequences of acts. {@code -Dmooring.danger.seeds} sets the number of
 * seeded clusters.
 */
class DangerSearchTest {
  static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

  static ForecastTerms terms(int seed) {
    return new ForecastTerms(
        seed % 4 == 3 ? Compat.KUBERNETES : Compat.MOORING, Duration.ZERO, NOW);
  }

  static SearchInput input(int seed, SeededCluster.Shapes shapes) throws IOException {
    ClusterIndex index =
        new ClusterIndex(ClusterContentsReader.read(SeededCluster.of(seed, shapes)));
    Claim claim = index.claim(SeededCluster.CLAIM).orElseThrow();
    return index.searchInput(claim, index.volumeOf(claim).orElseThrow());
  }

  static String text(Optional<List<TakenAct>> found) {
    return found
        .map(acts -> String.join("; ", acts.stream().map(taken -> taken.act().text()).toList()))
        .orElse("none");
  }

  /** All sequences, without pruning. Only the forecast of an act in a state is computed once. */
  private static final class BruteForce {
    private final SearchInput input;
    private final ClusterForecast forecast;
    private final Map<DangerState, Node> nodes = new HashMap<>();
    private long sequences;

    private record Edge(DangerAct act, boolean destroys, Node target) {}

    private static final class Node {
      final DangerState state;
      List<Edge> edges = List.of();

      Node(DangerState state) {
        this.state = state;
      }
    }

    BruteForce(SearchInput input, ClusterForecast forecast) {
      this.input = input;
      this.forecast = forecast;
    }

    private Node node(DangerState state) {
      return nodes.computeIfAbsent(state, Node::new);
    }

    private List<Edge> edges(Node node) {
      if (node.edges.isEmpty()) {
        List<Edge> edges = new ArrayList<>();
        for (DangerAct act : AllActs.of(input, node.state)) {
          Outcome outcome = forecast.after(node.state, act);
          edges.add(new Edge(act, outcome.destroyed().isPresent(), node(outcome.state())));
        }
        node.edges = edges;
      }
      return node.edges;
    }

    String find() {
      Outcome start = forecast.settle(input.start());
      if (start.destroyed().isPresent()) {
        return "";
      }
      for (int length = 1; length <= DangerSearch.MAX_ACTS; length++) {
        Optional<String> found = find(node(start.state()), length);
        if (found.isPresent()) {
          return found.get();
        }
      }
      return "none";
    }

    private Optional<String> find(Node node, int length) {
      for (Edge edge : edges(node)) {
        if (length == 1) {
          sequences++;
          if (edge.destroys) {
            return Optional.of(edge.act.text());
          }
        } else if (!edge.destroys) {
          Optional<String> rest = find(edge.target, length - 1);
          if (rest.isPresent()) {
            return Optional.of(edge.act.text() + "; " + rest.get());
          }
        }
      }
      return Optional.empty();
    }
  }

  private static IntStream seeds() {
    return IntStream.range(0, Integer.getInteger("mooring.danger.seeds", 12));
  }

  @Test
  void search_seededClusters_equalsAllSequences() throws Exception {
    Map<String, Integer> lengths = new TreeMap<>();
    long sequences = 0;
    for (int seed : seeds().toArray()) {
      SearchInput input = input(seed, SeededCluster.Shapes.ALL);
      BruteForce all = new BruteForce(input, new ClusterForecast(input, terms(seed)));
      Optional<List<TakenAct>> found = new DangerSearch(input, terms(seed)).find().destruction();

      assertThat(text(found)).as("seed %s", seed).isEqualTo(all.find());
      sequences += all.sequences;
      lengths.merge(found.map(acts -> "" + acts.size()).orElse("none"), 1, Integer::sum);
    }
    System.out.println("danger: " + lengths + ", " + sequences + " sequences");
  }

  @Test
  void search_boundTooHigh_differsFromAllSequences() throws Exception {
    boolean differs = false;
    for (int seed = 0; seed < 12 && !differs; seed++) {
      SearchInput input = input(seed, SeededCluster.Shapes.ALL);
      ClusterForecast forecast = new ClusterForecast(input, terms(seed));
      Optional<List<TakenAct>> found =
          new DangerSearch(input, forecast, _ -> 3).find().destruction();
      Optional<List<TakenAct>> correct = new DangerSearch(input, terms(seed)).find().destruction();
      differs = !text(found).equals(text(correct));
    }
    assertThat(differs).isTrue();
  }

  private static ClusterContents cluster(int count) {
    List<Claim> claims = new ArrayList<>();
    List<Volume> volumes = new ArrayList<>();
    List<Pod> pods = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Claim claim =
          TestObjects.claim("shop", "c" + i)
              .uid("u" + i)
              .finalizer("kubernetes.io/pvc-protection")
              .storageClass("fast")
              .build();
      Volume volume =
          TestObjects.volume("pvc-u" + i)
              .claimRef(claim)
              .storageClass("fast")
              .source(new VolumeSource("csi", Map.of("driver", "d", "volumeHandle", "h" + i)))
              .annotation("pv.kubernetes.io/provisioned-by", "d")
              .finalizer("kubernetes.io/pv-protection")
              .phase(VolumePhase.BOUND)
              .build();
      claims.add(TestObjects.like(claim).boundTo(volume).build());
      volumes.add(volume);
      pods.add(TestObjects.pod("shop", "p" + i).claims("c" + i).runningOn("n" + i % 100).build());
      pods.add(TestObjects.pod("shop", "q" + i).claims("c0").runningOn("n" + i % 100).build());
    }
    return new ClusterContents(
        claims,
        volumes,
        pods,
        List.of(TestObjects.storageClass("fast").provisioner("d").build()),
        List.of("n0", "n1"),
        Map.of(),
        Map.of());
  }

  @Test
  void searchInput_bigCluster_isSmall() {
    int count = Integer.getInteger("mooring.danger.claims", 500);
    ClusterIndex index = new ClusterIndex(cluster(count));
    Claim first = index.claim(ObjectKey.of("shop", "c0")).orElseThrow();
    Claim last = index.claim(ObjectKey.of("shop", "c" + (count - 1))).orElseThrow();

    SearchInput shared = index.searchInput(first, index.volumeOf(first).orElseThrow());
    SearchInput ordinary = index.searchInput(last, index.volumeOf(last).orElseThrow());

    assertThat(shared.objects().pods().size()).isBetween(4, 12);
    assertThat(ordinary.objects().pods()).hasSize(1);
    assertThat(ordinary.objects().claims()).hasSize(1);
    for (Claim claim : List.of(first, last)) {
      long start = System.nanoTime();
      ClaimDanger danger = new DangerAnalysis(index, terms(0)).of(claim);
      System.out.println(
          "danger: %s of %,d claims in %s ms"
              .formatted(claim.key(), count, (System.nanoTime() - start) / 1_000_000));
      assertThat(danger.acts()).hasValue(2);
    }
  }
}
