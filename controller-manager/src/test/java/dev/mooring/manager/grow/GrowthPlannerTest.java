package dev.mooring.manager.grow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.manager.grow.GrowthStep.AwaitDeletion;
import dev.mooring.manager.grow.GrowthStep.CreateStatefulSet;
import dev.mooring.manager.grow.GrowthStep.DeleteStatefulSet;
import dev.mooring.manager.grow.GrowthStep.FinishStatefulSet;
import dev.mooring.manager.grow.GrowthStep.GrowClaim;
import dev.mooring.manager.grow.GrowthStep.SaveStatefulSet;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.testkit.ClaimBuilder;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GrowthPlannerTest {
  private static final GrowthRequest REQUEST = request("", "20Gi");
  private static final SavedStatefulSet.Location LOCATION =
      new SavedStatefulSet.Location(Uid.of("cm-1"), 7);

  private static GrowthRequest request(String template, String size) {
    return new GrowthRequest(ObjectKey.of("shop", "db"), template, Quantity.of(size));
  }

  private static StoredStatefulSet setWith(String uid, String metadata, String... templates) {
    String list =
        Arrays.stream(templates)
            .map(template -> template.split("="))
            .map(parts ->
                """
                {"metadata": {"name": "%s"}, "spec": {"resources": {"requests": {"storage": "%s"}}}}
                """
                    .formatted(parts[0], parts[1]))
            .collect(Collectors.joining(","));
    return new StoredStatefulSet(
        JsonMembers.parse(
            """
            {"apiVersion": "apps/v1", "kind": "StatefulSet",
             "metadata": {"name": "db", "namespace": "shop", "uid": "%s", "resourceVersion": "42", "generation": 3,
              "creationTimestamp": "2026-01-01T00:00:00Z", "labels": {"team": "shop"}, "annotations": {"note": "a"},
              "managedFields": [{"manager": "helm", "operation": "Apply"}, {"manager": "kcm", "subresource": "status"}]%s},
             "spec": {"replicas": 3, "volumeClaimTemplates": [%s]}, "status": {"replicas": 3}}
            """
                .formatted(uid, metadata, list)));
  }

  private static StoredStatefulSet set(String... templates) {
    return setWith("u-1", "", templates);
  }

  private static ClaimBuilder claim(String name, String request, String capacity) {
    return TestObjects.claim("shop", name)
        .storageClass("fast")
        .request(request)
        .phase(ClaimPhase.BOUND)
        .capacity(capacity);
  }

  private static GrowthView view(
      Optional<SavedStatefulSet> saved, Optional<StoredStatefulSet> current, Claim... claims) {
    StorageClass fast = TestObjects.storageClass("fast").allowsExpansion(true).build();
    StorageClass fixed = TestObjects.storageClass("fixed").allowsExpansion(false).build();
    return new GrowthView(
        saved,
        saved.map(s -> LOCATION),
        current,
        List.of(claims),
        Map.of(
            "fast", new ReadResult.Found<>(fast),
            "fixed", new ReadResult.Found<>(fixed),
            "gone", new ReadResult.Absent<>(),
            "secret", new ReadResult.Failed<>("forbidden")));
  }

  private static GrowthView view(StoredStatefulSet current, Claim... claims) {
    return view(Optional.empty(), Optional.of(current), claims);
  }

  /** Returns the steps as words; the problem if there is one. */
  private static List<String> plan(GrowthRequest request, GrowthView view) {
    return switch (GrowthPlanner.plan(request, view)) {
      case GrowthPlan.Impossible(String problem) -> List.of(problem);
      case GrowthPlan.Steps plan -> {
        List<String> words = new ArrayList<>();
        for (GrowthStep step : plan.steps()) {
          words.add(
              switch (step) {
                case GrowClaim grow -> grow.claim().key().name();
                case SaveStatefulSet save -> save.overwritten().isPresent() ? "overwrite" : "save";
                case DeleteStatefulSet delete -> "delete " + delete.version();
                case AwaitDeletion _ -> "await";
                case CreateStatefulSet _ -> "create";
                case FinishStatefulSet _ -> "finish";
              });
        }
        yield words;
      }
    };
  }

  private static SavedStatefulSet saved(StoredStatefulSet replaced) {
    return SavedStatefulSet.of(replaced, "data", Quantity.of("20Gi"));
  }

  @Test
  void plan_claimsOfTemplate_growByOrdinalBeforeTemplate() {
    GrowthView view =
        view(
            set("data=10Gi", "log=1Gi"),
            claim("data-db-10", "10Gi", "10Gi").build(),
            claim("data-db-2", "10Gi", "10Gi").build(),
            claim("data-db-1", "20Gi", "20Gi").build(),
            claim("data-db-0", "20Gi", "10Gi").build(),
            claim("log-db-0", "1Gi", "1Gi").build(),
            claim("data-db-x", "1Gi", "1Gi").build(),
            claim("data-db-0-0", "1Gi", "1Gi").build(),
            claim("data-dc-0", "1Gi", "1Gi").build());
    assertThat(plan(request("data", "20Gi"), view))
        .containsExactly(
            "data-db-0", "data-db-2", "data-db-10", "save", "delete 42", "create", "finish");
    assertThat(plan(request("data", "20480Mi"), view)).hasSize(7);
  }

  @Test
  void plan_everythingHasSize_isEmpty() {
    GrowthView view = view(set("data=20Gi"), claim("data-db-0", "20Gi", "20Gi").build());
    assertThat(plan(REQUEST, view)).isEmpty();
  }

  @Test
  void plan_savedStatefulSet_continuesWhereItWasInterrupted() {
    StoredStatefulSet current = set("data=10Gi");
    Optional<SavedStatefulSet> saved = Optional.of(saved(current));
    String deleting = ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"";
    assertThat(plan(REQUEST, view(saved, Optional.of(current))))
        .containsExactly("delete 42", "create", "finish");
    assertThat(plan(REQUEST, view(saved, Optional.of(setWith("u-1", deleting, "data=10Gi")))))
        .containsExactly("await", "create", "finish");
    assertThat(plan(REQUEST, view(saved, Optional.empty()))).containsExactly("create", "finish");
    assertThat(plan(REQUEST, view(saved, Optional.of(setWith("u-2", "", "data=20Gi")))))
        .containsExactly("finish");
  }

  @Test
  void plan_statefulSetDiffersFromSavedOne_savesAgain() {
    Optional<SavedStatefulSet> saved = Optional.of(saved(set("data=10Gi")));
    assertThat(plan(REQUEST, view(saved, Optional.of(set("data=10Gi", "log=1Gi")))))
        .containsExactly(
            "StatefulSet shop/db has several claim templates: specify one of them with --template: data, log");
    assertThat(plan(request("data", "20Gi"), view(saved, Optional.of(set("data=10Gi", "log=1Gi")))))
        .startsWith("overwrite");
    assertThat(plan(REQUEST, view(saved, Optional.of(setWith("u-2", "", "data=10Gi")))))
        .containsExactly("overwrite", "delete 42", "create", "finish");
  }

  @Test
  void plan_otherRequestIsUnfinished_namesIt() {
    StoredStatefulSet current = set("data=10Gi");
    Optional<SavedStatefulSet> saved = Optional.of(saved(current));
    String problem =
        "ConfigMap shop/mooring-grow-db contains an unfinished growth of template data to 20Gi: run that first (--template data --size 20Gi)";
    assertThat(plan(request("", "30Gi"), view(saved, Optional.empty()))).containsExactly(problem);
    assertThat(plan(request("log", "20Gi"), view(saved, Optional.empty())))
        .containsExactly(problem);
    assertThat(plan(request("", "30Gi"), view(saved, Optional.of(current))))
        .containsExactly(problem + ", or delete the ConfigMap if no other 'mooring grow' runs");
  }

  @Test
  void plan_savedStatefulSetIsAbsent_ignoresClaims() {
    Optional<SavedStatefulSet> saved = Optional.of(saved(set("data=10Gi")));
    Claim larger = claim("data-db-0", "30Gi", "30Gi").build();
    assertThat(plan(REQUEST, view(saved, Optional.empty(), larger)))
        .containsExactly("create", "finish");
    assertThat(plan(REQUEST, view(saved, Optional.of(setWith("u-2", "", "data=20Gi")), larger)))
        .containsExactly("finish", "data-db-0");
  }

  @Test
  void plan_unsuitableStatefulSet_isOneLineWithRemedy() {
    String deleting = ", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"";
    assertThat(plan(REQUEST, view(Optional.empty(), Optional.empty())))
        .containsExactly(
            "StatefulSet shop/db does not exist: check the name and the namespace (-n)");
    assertThat(plan(REQUEST, view(setWith("u-1", deleting, "data=10Gi"))))
        .containsExactly(
            "StatefulSet shop/db is being deleted: create it again, then run the command");
    assertThat(plan(REQUEST, view(set())))
        .containsExactly(
            "StatefulSet shop/db has no claim templates, so no claims: specify another StatefulSet");
    assertThat(plan(request("x", "20Gi"), view(set("data=10Gi"))))
        .containsExactly(
            "--template x: StatefulSet shop/db has no such claim template: specify one of them: data");
    assertThat(plan(REQUEST, view(set("data=30Gi"))))
        .containsExactly(
            "template data of StatefulSet shop/db requests 30Gi, more than --size 20Gi: specify at least --size 30Gi");
    assertThat(plan(REQUEST, view(setWith("u-1", ", \"finalizers\": [\"x.io/f\"]", "data=10Gi"))))
        .containsExactly(
            "StatefulSet shop/db has the finalizer x.io/f, whose program acts on its deletion: remove the finalizer first");
  }

  @Test
  void plan_partitionKeepsEarlierRevision_isRefused() {
    StoredStatefulSet current = set("data=10Gi");
    JsonMembers.replace(
        current.members(), 2L, "spec", "updateStrategy", "rollingUpdate", "partition");
    assertThat(plan(REQUEST, view(current))).startsWith("save");
    JsonMembers.replace(current.members(), "db-1", "status", "currentRevision");
    JsonMembers.replace(current.members(), "db-2", "status", "updateRevision");
    assertThat(plan(REQUEST, view(current)))
        .containsExactly(
            "StatefulSet shop/db keeps pods at an earlier revision with updateStrategy.rollingUpdate.partition: finish that rollout first");
  }

  @Test
  void plan_unsuitableClaim_isOneLineWithRemedy() {
    assertThat(problem(claim("data-db-0", "30Gi", "30Gi")))
        .isEqualTo(
            "claim shop/data-db-0 requests 30Gi, more than --size 20Gi, and claims cannot shrink: specify at least --size 30Gi");
    assertThat(problem(claim("data-db-0", "10Gi", "10Gi").storageClass("fixed")))
        .isEqualTo(
            "StorageClass fixed of claim shop/data-db-0 does not allow growth: set its allowVolumeExpansion to true if the driver can grow volumes");
    assertThat(problem(claim("data-db-0", "10Gi", "10Gi").storageClass("gone")))
        .startsWith("StorageClass gone of claim shop/data-db-0 does not exist: create it");
    assertThat(problem(claim("data-db-0", "10Gi", "10Gi").storageClass("")))
        .startsWith("claim shop/data-db-0 has no StorageClass");
    assertThat(problem(claim("data-db-0", "10Gi", "10Gi").phase(ClaimPhase.PENDING)))
        .startsWith("claim shop/data-db-0 requests 10Gi and is not Bound, so it cannot grow");
    assertThat(problem(claim("data-db-0", "10Gi", "10Gi").deleted(1)))
        .isEqualTo("claim shop/data-db-0 is being deleted: wait until it is gone");
    assertThat(problem(claim("data-db-0", "10Gi", "10Gi").storageClass("secret")))
        .isEqualTo("data-db-0");
    assertThat(problem(claim("data-db-0", "20Gi", "10Gi").storageClass("fixed")))
        .isEqualTo("data-db-0");
  }

  private static String problem(ClaimBuilder claim) {
    return plan(REQUEST, view(set("data=10Gi"), claim.build())).getFirst();
  }

  @Test
  void plan_infeasibleClaim_givesReasonAndAcceptsSmallerSize() {
    ClaimBuilder refused =
        claim("data-db-0", "20Gi", "10Gi")
            .resize("20Gi", ResizeState.CONTROLLER_INFEASIBLE)
            .conditions(new Condition("ControllerResizeError", "True", "", "pool is full", 0, 0));
    assertThat(problem(refused))
        .isEqualTo(
            "claim shop/data-db-0 cannot grow to 20Gi: pool is full: specify a smaller --size above 10Gi, or remove the cause and run the command again");
    GrowthView view = view(set("data=10Gi"), refused.build());
    assertThat(plan(request("", "15Gi"), view)).startsWith("data-db-0");
    assertThat(plan(request("", "30Gi"), view)).startsWith("data-db-0");
    assertThat(plan(request("", "10Gi"), view))
        .containsExactly(
            "claim shop/data-db-0 has 10Gi, not less than --size 10Gi: specify a larger --size");
    ClaimBuilder ofEarlierSize =
        claim("data-db-0", "20Gi", "10Gi").resize("15Gi", ResizeState.CONTROLLER_INFEASIBLE);
    assertThat(problem(ofEarlierSize)).isEqualTo("data-db-0");
  }

  @Test
  void state_fileSystemIsPending_onlyForRequestedSize() {
    Condition pending = new Condition("FileSystemResizePending", "True", "", "", 0, 0);
    ClaimBuilder claim = claim("data-db-0", "20Gi", "10Gi").conditions(pending);
    assertThat(state(claim)).isEqualTo(ClaimGrowth.State.GROWING);
    assertThat(state(claim.resize("15Gi", ResizeState.NODE_PENDING)))
        .isEqualTo(ClaimGrowth.State.GROWING);
    assertThat(state(claim.resize("20Gi", ResizeState.NONE)))
        .isEqualTo(ClaimGrowth.State.NODE_PENDING);
    assertThat(state(claim.conditions().resize("20Gi", ResizeState.NODE_PENDING)))
        .isEqualTo(ClaimGrowth.State.NODE_PENDING);
    assertThat(state(claim.capacity("20Gi"))).isEqualTo(ClaimGrowth.State.GROWN);
    assertThat(state(claim.request("10Gi"))).isEqualTo(ClaimGrowth.State.UNREQUESTED);
  }

  private static ClaimGrowth.State state(ClaimBuilder claim) {
    return new ClaimGrowth(claim.build(), Quantity.of("20Gi")).state();
  }

  @Test
  void manifest_storedStatefulSet_keepsOnlyWhatUsersWrite() {
    SavedStatefulSet saved = saved(set("data=10Gi", "log=1Gi"));
    assertThat(JsonMembers.toJson(saved.toCreate()))
        .isEqualTo(
            "{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSet\",\"metadata\":{\"name\":\"db\",\"namespace\":\"shop\",\"labels\":{\"team\":\"shop\"},\"annotations\":{\"note\":\"a\"}},"
                + "\"spec\":{\"replicas\":3,\"volumeClaimTemplates\":[{\"metadata\":{\"name\":\"data\"},\"spec\":{\"resources\":{\"requests\":{\"storage\":\"20Gi\"}}}},"
                + "{\"metadata\":{\"name\":\"log\"},\"spec\":{\"resources\":{\"requests\":{\"storage\":\"1Gi\"}}}}]}}");
    assertThat(saved.fieldManagers()).hasSize(1);
    assertThat(saved.fieldManagers().getFirst().toString()).contains("helm");
  }

  @Test
  void configMap_savedStatefulSet_isParsedUnchanged() {
    SavedStatefulSet saved = saved(set("data=10Gi"));
    Map<String, Object> configMap = saved.toConfigMap(ObjectKey.of("shop", "mooring-grow-db"));
    assertThat(SavedStatefulSet.parse(JsonMembers.copy(configMap))).contains(saved);
    JsonMembers.replace(configMap, Map.of("uid", "u", "size", "1Gi"), "data");
    assertThat(SavedStatefulSet.parse(configMap)).isEmpty();
  }
}
