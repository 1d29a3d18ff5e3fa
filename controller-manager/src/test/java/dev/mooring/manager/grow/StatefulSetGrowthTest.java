package dev.mooring.manager.grow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.manager.grow.StatefulSetGrowth.Pace;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.testkit.ClaimBuilder;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.TestObjects;
import dev.mooring.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatefulSetGrowthTest {
  private static final GrowthRequest REQUEST =
      new GrowthRequest(ObjectKey.of("shop", "db"), "", Quantity.of("20Gi"));
  private static final String STATEFUL_SET =
      """
      {"metadata": {"name": "db", "namespace": "shop"},
       "spec": {"volumeClaimTemplates": [{"metadata": {"name": "data"},
        "spec": {"resources": {"requests": {"storage": "10Gi"}}}}]}}
      """;

  private final SystemTime time = new SystemTime();
  private final List<String> output = new ArrayList<>();
  private final FaultyCluster cluster = new FaultyCluster();
  private Claim claimAfterRequest = claim().request("20Gi").capacity("20Gi").build();
  private @Nullable WriteResult<?> creation;
  private int failingReads;

  @AfterEach
  void close() {
    time.close();
  }

  private static ClaimBuilder claim() {
    return TestObjects.claim("shop", "data-db-0")
        .storageClass("fast")
        .request("10Gi")
        .phase(ClaimPhase.BOUND)
        .capacity("10Gi");
  }

  @BeforeEach
  void putStatefulSetWithClaim() throws InterruptedException {
    cluster.cluster().put(Kind.CLAIM, claim().build());
    cluster
        .cluster()
        .put(Kind.STORAGE_CLASS, TestObjects.storageClass("fast").allowsExpansion(true).build());
    cluster.create(
        GrowthRequest.STATEFUL_SET, REQUEST.statefulSet(), JsonMembers.parse(STATEFUL_SET));
    cluster.onWrite(this::answerWrite).onRead(this::answerRead);
  }

  private @Nullable WriteResult<?> answerWrite(Request request) {
    if (request.kind().equals(Kind.CLAIM)) {
      return new WriteResult.Written<>(cluster.cluster().put(Kind.CLAIM, claimAfterRequest));
    }
    return request.verb() == Verb.CREATE && request.kind().equals(GrowthRequest.STATEFUL_SET)
        ? creation
        : null;
  }

  private @Nullable ReadResult<?> answerRead(Request request) {
    return request.verb() == Verb.GET_WHOLE && failingReads-- > 0
        ? new ReadResult.Failed<>("no answer")
        : null;
  }

  private boolean exists(Kind<?> kind, ObjectKey key) {
    return cluster.cluster().readWhole(kind, key).toOptional().isPresent();
  }

  private StatefulSetGrowth growth() {
    return new StatefulSetGrowth(
        new GrowthPorts(cluster, cluster, cluster),
        REQUEST,
        time,
        new Pace(Duration.ofMillis(50), Duration.ofMillis(1), 1),
        line -> output.add(line.replaceAll("in \\d+\\.\\ds", "in T")));
  }

  @Test
  void run_oneClaim_printsOneLineForEachStep() throws Exception {
    growth().run();
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
    claimAfterRequest = claim().request("20Gi").resize("20Gi", ResizeState.NODE_PENDING).build();
    growth().run();
    assertThat(output.getFirst())
        .isEqualTo(
            "claim data-db-0: volume grown from 10Gi to 20Gi in T; the kubelet grows the file system when a pod uses the claim");
    assertThat(output.getLast()).isEqualTo("ConfigMap mooring-grow-db deleted");
  }

  @Test
  void run_infeasibleClaim_stopsBeforeTemplate() {
    claimAfterRequest =
        claim()
            .request("20Gi")
            .resize("20Gi", ResizeState.NODE_INFEASIBLE)
            .conditions(new Condition("NodeResizeError", "True", "", "pool is full", 0, 0))
            .build();
    assertThatThrownBy(() -> growth().run())
        .isInstanceOf(GrowthStoppedException.class)
        .hasMessage(
            "claim shop/data-db-0 cannot grow to 20Gi: pool is full: specify a smaller --size above 10Gi, or remove the cause and run the command again");
    assertThat(exists(GrowthRequest.CONFIG_MAP, REQUEST.configMap())).isFalse();
    assertThat(exists(GrowthRequest.STATEFUL_SET, REQUEST.statefulSet())).isTrue();
  }

  @Test
  void run_claimDoesNotGrow_stopsAtTimeout() {
    claimAfterRequest = claim().request("20Gi").build();
    assertThatThrownBy(() -> growth().run())
        .isInstanceOf(GrowthStoppedException.class)
        .hasMessageMatching(
            "claim shop/data-db-0 does not have 20Gi after \\d\\.\\ds \\(it has 10Gi\\): 'mooring explain pvc/data-db-0 -n shop' shows the cause; run the command again to continue");
  }

  @Test
  void run_creationIsRefused_keepsStatefulSetInConfigMapAndResumes() throws Exception {
    creation = new WriteResult.Rejected<>(403, "exceeded quota");
    assertThatThrownBy(() -> growth().run())
        .isInstanceOf(GrowthStoppedException.class)
        .hasMessage(
            "StatefulSet shop/db is deleted and its creation fails: rejected with code 403: exceeded quota; ConfigMap shop/mooring-grow-db contains it: run the command again to continue");
    assertThat(exists(GrowthRequest.CONFIG_MAP, REQUEST.configMap())).isTrue();
    creation = null;
    growth().run();
    assertThat(exists(GrowthRequest.CONFIG_MAP, REQUEST.configMap())).isFalse();
    assertThat(exists(GrowthRequest.STATEFUL_SET, REQUEST.statefulSet())).isTrue();
  }

  @Test
  void run_readsFail_retriesThenStops() throws Exception {
    failingReads = 5;
    growth().run();
    failingReads = 1000;
    assertThatThrownBy(() -> growth().run())
        .hasMessage(
            "cannot read ConfigMap shop/mooring-grow-db: no answer: run the command again to continue");
  }

  @Test
  void plan_serverWouldRefuseStatefulSet_stopsBeforeFirstWrite() throws Exception {
    cluster.answerTrials(new WriteResult.Rejected<>(422, "spec.x is invalid"));
    assertThatThrownBy(() -> growth().plan())
        .hasMessage(
            "the API server would not accept StatefulSet shop/db again (422): spec.x is invalid: correct the StatefulSet first");
    cluster.answerTrials(
        new WriteResult.Rejected<>(403, "exceeded quota: count/statefulsets.apps"));
    assertThat(growth().plan().steps()).hasSize(5);
  }
}
