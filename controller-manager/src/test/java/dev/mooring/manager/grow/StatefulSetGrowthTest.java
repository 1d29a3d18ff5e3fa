package dev.mooring.manager.grow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.manager.grow.StatefulSetGrowth.Pace;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.testkit.ClaimBuilder;
import dev.mooring.testkit.TestObjects;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatefulSetGrowthTest {
  private static final GrowthRequest REQUEST =
      new GrowthRequest(ObjectKey.of("shop", "db"), "", Quantity.of("20Gi"));
  private static final String SET =
      """
      {"metadata": {"name": "db", "namespace": "shop", "uid": "u-1", "resourceVersion": "42"},
       "spec": {"volumeClaimTemplates": [{"metadata": {"name": "data"},
        "spec": {"resources": {"requests": {"storage": "%s"}}}}]}}
      """;

  private final SystemTime time = new SystemTime();
  private final List<String> output = new ArrayList<>();

  @AfterEach
  void close() {
    time.close();
  }

  private static StoredStatefulSet set(String size) {
    return new StoredStatefulSet(JsonMembers.parse(SET.formatted(size)));
  }

  private static ClaimBuilder claim() {
    return TestObjects.claim("shop", "data-db-0")
        .storageClass("fast")
        .request("10Gi")
        .phase(ClaimPhase.BOUND)
        .capacity("10Gi");
  }

  /** Cluster with one claim, which changes to a given state when its request changes. */
  private static final class FixedCluster implements GrowthCluster {
    private Claim claim = claim().build();
    private Claim claimAfterRequest = claim().request("20Gi").capacity("20Gi").build();
    private Optional<StoredStatefulSet> current = Optional.of(set("10Gi"));
    private Optional<SavedStatefulSet> saved = Optional.empty();
    private WriteResult<ObjectKey> creation = new WriteResult.Written<>(REQUEST.statefulSet());
    private WriteResult<ObjectKey> trial = new WriteResult.Written<>(REQUEST.statefulSet());
    private int failingReads;

    @Override
    public GrowthView read(GrowthRequest request) throws IOException {
      if (failingReads-- > 0) {
        throw new IOException("no answer");
      }
      return new GrowthView(
          saved,
          saved.map(s -> new SavedStatefulSet.Location(Uid.of("cm"), 1)),
          current,
          List.of(claim),
          Map.of());
    }

    @Override
    public ReadResult<Claim> readClaim(ObjectKey key) {
      return new ReadResult.Found<>(claim);
    }

    @Override
    public WriteResult<ObjectKey> tryCreation(ObjectKey key, SavedStatefulSet created) {
      return trial;
    }

    @Override
    public WriteResult<Claim> patchClaim(ObjectKey key, Document patch) {
      claim = claimAfterRequest;
      return new WriteResult.Written<>(claim);
    }

    @Override
    public WriteResult<ObjectKey> createConfigMap(ObjectKey key, SavedStatefulSet content) {
      saved = Optional.of(content);
      return new WriteResult.Written<>(key);
    }

    @Override
    public WriteResult<ObjectKey> patchConfigMap(
        ObjectKey key, SavedStatefulSet.Location location, SavedStatefulSet content) {
      return createConfigMap(key, content);
    }

    @Override
    public WriteResult<ObjectKey> deleteConfigMap(
        ObjectKey key, SavedStatefulSet.Location location) {
      saved = Optional.empty();
      return new WriteResult.Written<>(key);
    }

    @Override
    public WriteResult<ObjectKey> deleteStatefulSet(ObjectKey key, Uid uid, long version) {
      current = Optional.empty();
      return new WriteResult.Written<>(key);
    }

    @Override
    public WriteResult<ObjectKey> createStatefulSet(ObjectKey key, SavedStatefulSet created) {
      if (creation instanceof WriteResult.Written<ObjectKey>) {
        StoredStatefulSet next = set("20Gi");
        JsonMembers.replace(next.members(), "u-2", "metadata", "uid");
        current = Optional.of(next);
      }
      return creation;
    }

    @Override
    public WriteResult<ObjectKey> setFieldManagers(
        ObjectKey key, StoredStatefulSet statefulSet, List<?> entries) {
      throw new AssertionError("the StatefulSet has no field managers");
    }
  }

  private StatefulSetGrowth growth(GrowthCluster cluster) {
    return new StatefulSetGrowth(
        cluster,
        REQUEST,
        time,
        new Pace(Duration.ofMillis(50), Duration.ofMillis(1), 1),
        line -> output.add(line.replaceAll("in \\d+\\.\\ds", "in T")));
  }

  @Test
  void run_oneClaim_printsOneLineForEachStep() throws Exception {
    growth(new FixedCluster()).run();
    assertThat(output)
        .containsExactly(
            "claim data-db-0: grown from 10Gi to 20Gi in T",
            "StatefulSet saved in ConfigMap mooring-grow-db",
            "StatefulSet db deleted; its pods keep running",
            "StatefulSet db created with 20Gi in template data",
            "ConfigMap mooring-grow-db deleted");
  }

  @Test
  void run_fileSystemIsPending_continuesAndNamesKubelet() throws Exception {
    FixedCluster cluster = new FixedCluster();
    cluster.claimAfterRequest =
        claim().request("20Gi").resize("20Gi", ResizeState.NODE_PENDING).build();
    growth(cluster).run();
    assertThat(output.getFirst())
        .isEqualTo(
            "claim data-db-0: volume grown from 10Gi to 20Gi in T; the kubelet grows the file system when a pod uses the claim");
    assertThat(output.getLast()).isEqualTo("ConfigMap mooring-grow-db deleted");
  }

  @Test
  void run_infeasibleClaim_stopsBeforeTemplate() {
    FixedCluster cluster = new FixedCluster();
    cluster.claimAfterRequest =
        claim()
            .request("20Gi")
            .resize("20Gi", ResizeState.NODE_INFEASIBLE)
            .conditions(new Condition("NodeResizeError", "True", "", "pool is full", 0, 0))
            .build();
    assertThatThrownBy(() -> growth(cluster).run())
        .isInstanceOf(GrowthStoppedException.class)
        .hasMessage(
            "claim shop/data-db-0 cannot grow to 20Gi: pool is full: specify a smaller --size above 10Gi, or remove the cause and run the command again");
    assertThat(cluster.saved).isEmpty();
    assertThat(cluster.current).isPresent();
  }

  @Test
  void run_claimDoesNotGrow_stopsAtTimeout() {
    FixedCluster cluster = new FixedCluster();
    cluster.claimAfterRequest = claim().request("20Gi").build();
    assertThatThrownBy(() -> growth(cluster).run())
        .isInstanceOf(GrowthStoppedException.class)
        .hasMessageMatching(
            "claim shop/data-db-0 does not have 20Gi after \\d\\.\\ds \\(it has 10Gi\\): 'mooring explain pvc/data-db-0 -n shop' shows the cause; run the command again to continue");
  }

  @Test
  void run_creationIsRefused_keepsStatefulSetInConfigMapAndResumes() throws Exception {
    FixedCluster cluster = new FixedCluster();
    cluster.creation = new WriteResult.Rejected<>(403, "exceeded quota");
    assertThatThrownBy(() -> growth(cluster).run())
        .isInstanceOf(GrowthStoppedException.class)
        .hasMessage(
            "StatefulSet shop/db is deleted and its creation fails: rejected with code 403: exceeded quota; ConfigMap shop/mooring-grow-db holds it: run the command again to continue");
    assertThat(cluster.saved).isPresent();
    cluster.creation = new WriteResult.Written<>(REQUEST.statefulSet());
    growth(cluster).run();
    assertThat(cluster.saved).isEmpty();
    assertThat(cluster.current).isPresent();
  }

  @Test
  void run_readsFail_retriesThenStops() throws Exception {
    FixedCluster cluster = new FixedCluster();
    cluster.failingReads = 5;
    growth(cluster).run();
    cluster.failingReads = 1000;
    assertThatThrownBy(() -> growth(cluster).run())
        .hasMessage("no answer: run the command again to continue");
  }

  @Test
  void plan_serverWouldRefuseStatefulSet_stopsBeforeFirstWrite() throws Exception {
    FixedCluster cluster = new FixedCluster();
    cluster.trial = new WriteResult.Rejected<>(422, "spec.x is invalid");
    assertThatThrownBy(() -> growth(cluster).plan())
        .hasMessage(
            "the API server would not accept StatefulSet shop/db again (422): spec.x is invalid: correct the StatefulSet first");
    cluster.trial = new WriteResult.Rejected<>(403, "exceeded quota: count/statefulsets.apps");
    assertThat(growth(cluster).plan().steps()).hasSize(5);
  }
}
