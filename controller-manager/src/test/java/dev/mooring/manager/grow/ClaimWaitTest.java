package dev.mooring.manager.grow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.manager.grow.StatefulSetGrowth.Pace;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.testkit.ClaimBuilder;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimWaitTest {
  private static final GrowthRequest REQUEST =
      new GrowthRequest(ObjectKey.of("shop", "db"), "", Quantity.of("20Gi"));

  private final GrowingClaims cluster = new GrowingClaims();
  private final List<String> output = new ArrayList<>();

  /** Claims that have the requested size after a number of reads. */
  private static final class GrowingClaims {
    private final FaultyCluster server =
        new FaultyCluster()
            .onRead(request -> readClaim(request.key()))
            .onWrite(request -> requestSize(request.key()));
    private final Map<ObjectKey, Claim> claims = new TreeMap<>();
    private final Map<ObjectKey, Integer> remainingReads = new HashMap<>();
    private final Map<ObjectKey, Integer> growingReads = new HashMap<>();
    private final List<String> requests = new ArrayList<>();
    private int mostGrowing;

    List<Claim> add(int... reads) {
      for (int number = 0; number < reads.length; number++) {
        Claim claim = claim(number).request("10Gi").build();
        claims.put(claim.key(), claim);
        remainingReads.put(claim.key(), reads[number]);
      }
      return List.copyOf(claims.values());
    }

    private ReadResult<Claim> readClaim(ObjectKey key) {
      if (growingReads.computeIfPresent(key, (k, reads) -> reads - 1) instanceof Integer reads
          && reads == 0) {
        growingReads.remove(key);
        claims.put(key, TestObjects.like(claims.get(key)).capacity("20Gi").build());
      }
      return claims.containsKey(key)
          ? new ReadResult.Found<>(claims.get(key))
          : new ReadResult.Absent<>();
    }

    private WriteResult<Claim> requestSize(ObjectKey key) {
      requests.add(key.name());
      claims.put(key, TestObjects.like(claims.get(key)).request("20Gi").build());
      growingReads.put(key, remainingReads.get(key));
      mostGrowing = Math.max(mostGrowing, growingReads.size());
      return new WriteResult.Written<>(claims.get(key));
    }
  }

  private static ClaimBuilder claim(int number) {
    return TestObjects.claim("shop", "data-db-" + number)
        .storageClass("fast")
        .phase(ClaimPhase.BOUND)
        .capacity("10Gi");
  }

  private void grow(int parallel, List<Claim> claims) throws Exception {
    Pace pace = new Pace(Duration.ofMinutes(1), Duration.ofSeconds(1), parallel);
    new ClaimWait(
            new GrowthPorts(cluster.server, cluster.server, cluster.server),
            REQUEST,
            new SimTime(true),
            pace,
            line -> output.add(line.replaceFirst("claim (\\S+): .* in ", "$1 ")))
        .grow(claims);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "4, 4", "9, 5"})
  void grow_fiveClaims_keepsLimitAndOrder(int parallel, int mostGrowing) throws Exception {
    List<Claim> claims = cluster.add(3, 3, 3, 3, 3);
    grow(parallel, claims);
    assertThat(cluster.mostGrowing).isEqualTo(mostGrowing);
    assertThat(cluster.requests)
        .containsExactly("data-db-0", "data-db-1", "data-db-2", "data-db-3", "data-db-4");
    assertThat(output).hasSize(5);
  }

  @Test
  void grow_oneSlowClaim_othersDoNotWaitForIt() throws Exception {
    grow(2, cluster.add(6, 1, 1, 1));
    assertThat(output)
        .containsExactly("data-db-1 1.0s", "data-db-2 1.0s", "data-db-3 1.0s", "data-db-0 6.0s");
  }

  @Test
  void grow_claimsChangedSincePlan_areReadBeforeTheyStart() throws Exception {
    List<Claim> planned = cluster.add(2, 1, 1, 1);
    ObjectKey grown = planned.get(1).key();
    cluster.claims.put(grown, claim(1).request("20Gi").capacity("20Gi").build());
    cluster.claims.remove(planned.get(2).key());
    grow(1, planned);
    assertThat(cluster.requests).containsExactly("data-db-0", "data-db-3");
    assertThat(output).containsExactly("data-db-0 2.0s", "data-db-1 0.0s", "data-db-3 1.0s");
  }

  @Test
  void grow_slowClaim_timesOutFromItsOwnStart() throws Exception {
    grow(1, cluster.add(50, 50));
    assertThat(output).containsExactly("data-db-0 50.0s", "data-db-1 50.0s");
    assertThatThrownBy(() -> grow(2, cluster.add(50, 70)))
        .isInstanceOf(GrowthStoppedException.class)
        .hasMessageStartingWith("claim shop/data-db-1 does not have 20Gi after 1m01s");
  }
}
