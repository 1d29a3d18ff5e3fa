package dev.mooring.populator.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mooring.cluster.LiveDecisions;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.DataSourceRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.populator.decide.PopulationView.Settings;
import dev.mooring.testkit.ClaimBuilder;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PopulationDeciderTest {
  private static final String NAMESPACE = "populators";
  private static final ObjectKey KEY = ObjectKey.of("default", "data");
  private static final Uid UID = Uid.of("11111111-1111-1111-1111-111111111111");
  private static final Uid PRIME_UID = Uid.of("22222222-2222-2222-2222-222222222222");
  private static final ObjectKey PRIME_KEY = ObjectKey.of(NAMESPACE, PopulatorMarks.primeName(UID));
  private static final DataSourceRef SOURCE = new DataSourceRef("example.com", "Page", "", "index");
  private static final DataSourceRef FOREIGN_SOURCE =
      new DataSourceRef("example.com", "Page", "pages", "index");
  private static final Settings SERVED = new Settings(NAMESPACE, true, true);

  private static Claim claim(UnaryOperator<ClaimBuilder> change) {
    return change
        .apply(
            TestObjects.claim(KEY.namespace(), KEY.name())
                .uid(UID)
                .storageClass("fast")
                .dataSourceRef(SOURCE))
        .build();
  }

  private static Claim held() {
    return claim(c -> c.finalizer(PopulatorMarks.FINALIZER));
  }

  private static Claim prime(UnaryOperator<ClaimBuilder> change) {
    return change
        .apply(
            TestObjects.claim(NAMESPACE, PRIME_KEY.name())
                .uid(PRIME_UID)
                .storageClass("fast")
                .annotation(PopulatorMarks.POPULATES, KEY.toString()))
        .build();
  }

  private static Claim boundPrime() {
    return prime(c -> c.boundTo(volume(PRIME_KEY, PRIME_UID)));
  }

  private static Volume volume(ObjectKey owner, Uid uid) {
    return TestObjects.volume("pv-1").claimRef(owner, uid.toString()).build();
  }

  private static FillPod pod(Pod.Phase phase) {
    return new FillPod(
        ObjectKey.of(NAMESPACE, PopulatorMarks.podName(UID)),
        Uid.of("pod"),
        KEY.toString(),
        PRIME_UID,
        phase,
        false,
        1000,
        "");
  }

  private static FillPod deletedPod() {
    return new FillPod(
        ObjectKey.of(NAMESPACE, PopulatorMarks.podName(UID)),
        Uid.of("pod"),
        KEY.toString(),
        PRIME_UID,
        Pod.Phase.RUNNING,
        true,
        1000,
        "");
  }

  private static FillPod foreignPod() {
    return new FillPod(
        ObjectKey.of(NAMESPACE, PopulatorMarks.podName(UID)),
        Uid.of("pod"),
        "",
        Uid.NONE,
        Pod.Phase.SUCCEEDED,
        false,
        1000,
        "");
  }

  private static FillPod podOfAnotherPrime() {
    return new FillPod(
        ObjectKey.of(NAMESPACE, PopulatorMarks.podName(UID)),
        Uid.of("pod"),
        KEY.toString(),
        Uid.of("earlier"),
        Pod.Phase.SUCCEEDED,
        false,
        1000,
        "");
  }

  /** State of the caches; the API server has the same unless a test changes it. */
  private static final class Given {
    private final InMemoryCluster live = new InMemoryCluster();
    private LiveFacts knownFacts = LiveFacts.NONE;
    private @Nullable Claim claim;
    private @Nullable Claim prime;
    private @Nullable Volume volume;
    private StorageClass.Binding binding = StorageClass.Binding.IMMEDIATE;
    private String provisioner = "example.com/disks";
    private boolean hasClass = true;
    private Settings settings = SERVED;
    private Fact<FillPod> pod = new Fact.Absent<>();
    private boolean isFilled;
    private Duration restartDelay = Duration.ZERO;

    Given claim(Claim value) {
      claim = live.put(Kind.CLAIM, value);
      return this;
    }

    Given prime(Claim value) {
      prime = live.put(Kind.CLAIM, value);
      return this;
    }

    Given volume(Volume value) {
      volume = live.put(Kind.VOLUME, value);
      return this;
    }

    Given filled(Claim user) {
      return claim(user)
          .prime(boundPrime())
          .volume(PopulationDeciderTest.volume(PRIME_KEY, PRIME_UID));
    }

    Given pod(FillPod value) {
      pod = new Fact.Present<>(value);
      return this;
    }

    Given with(UnaryOperator<Given> change) {
      return change.apply(this);
    }

    Given live(Claim value) {
      live.put(Kind.CLAIM, value);
      return this;
    }

    PopulationDecision decide() throws InterruptedException {
      PopulationView view =
          new PopulationView(
              KEY,
              UID,
              Optional.ofNullable(claim),
              Optional.ofNullable(prime),
              Optional.ofNullable(volume),
              claim == null || !hasClass || claim.className().isEmpty()
                  ? Optional.empty()
                  : Optional.of(
                      TestObjects.storageClass("fast")
                          .provisioner(provisioner)
                          .binding(binding)
                          .build()),
              pod,
              isFilled,
              restartDelay,
              Instant.ofEpochSecond(1020),
              settings);
      return LiveDecisions.decide(live, knownFacts, facts -> PopulationDecider.decide(view, facts));
    }
  }

  private static Given given() {
    return new Given();
  }

  private static String describe(PopulationDecision decision) {
    return switch (decision) {
      case PopulationDecision.Wait wait -> "Wait " + wait.reason();
      case PopulationDecision.Await await -> "Await " + await.reason();
      case PopulationDecision.CheckAgain check -> "CheckAgain " + check.delay();
      case PopulationDecision.CreatePrime create -> "CreatePrime " + create.node();
      case PopulationDecision.PassNode pass -> "PassNode " + pass.node();
      case PopulationDecision.Finish finish -> "Finish " + finish.isPopulated();
      default -> decision.getClass().getSimpleName();
    };
  }

  static Stream<Arguments> claimsBeforeTheFill() {
    return Stream.of(
        arguments(
            "kind of no populator",
            given()
                .claim(claim(c -> c))
                .with(g -> {
                  g.settings = new Settings(NAMESPACE, true, false);
                  return g;
                }),
            "Leave"),
        arguments(
            "no namespace",
            given()
                .claim(claim(c -> c))
                .with(g -> {
                  g.settings = new Settings("", true, true);
                  return g;
                }),
            "Wait POPULATOR_NAMESPACE_MISSING"),
        arguments(
            "no class",
            given().claim(claim(c -> c.storageClass(""))),
            "Wait POPULATION_WITHOUT_CLASS"),
        arguments("no class yet", given().claim(claim(c -> c.storageClass(null))), "Leave"),
        arguments(
            "in-tree class",
            given()
                .claim(claim(c -> c))
                .with(g -> {
                  g.provisioner = "kubernetes.io/host-path";
                  return g;
                }),
            "Wait POPULATION_OF_IN_TREE_CLASS"),
        arguments(
            "migrated in-tree class",
            given()
                .claim(claim(c -> c))
                .with(g -> {
                  g.provisioner = "kubernetes.io/aws-ebs";
                  return g;
                }),
            "AddFinalizer"),
        arguments("no selected node", given().claim(claim(c -> c)).with(DELAYED), "Leave"),
        arguments(
            "selected node",
            given()
                .claim(
                    claim(c ->
                        c.finalizer(PopulatorMarks.FINALIZER)
                            .annotation(PopulatorMarks.SELECTED_NODE, "n1")))
                .with(DELAYED),
            "CreatePrime n1"),
        arguments(
            "other namespace, disabled",
            given()
                .claim(claim(c -> c.dataSourceRef(FOREIGN_SOURCE)))
                .with(g -> {
                  g.settings = new Settings(NAMESPACE, false, true);
                  return g;
                }),
            "Wait DATA_SOURCE_ACROSS_NAMESPACES"),
        arguments(
            "other namespace, no grant",
            given().claim(claim(c -> c.dataSourceRef(FOREIGN_SOURCE))),
            "Wait DATA_SOURCE_NOT_GRANTED"),
        arguments(
            "bound by its author to a volume",
            given().claim(claim(c -> c.volumeName("own"))),
            "Leave"),
        arguments("being deleted, not held", given().claim(claim(c -> c.deleting())), "Leave"),
        arguments("not held", given().claim(claim(c -> c)), "AddFinalizer"),
        arguments("held", given().claim(held()), "CreatePrime "),
        arguments("held, class deleted", given().claim(held()).with(CLASS_DELETED), "Leave"),
        arguments(
            "pod of an earlier prime claim",
            given().claim(held()).pod(pod(Pod.Phase.SUCCEEDED)),
            "DeletePod"),
        arguments(
            "foreign prime claim",
            given().claim(held()).prime(prime(c -> c.annotations(Map.of()))),
            "Wait PRIME_CLAIM_NAME_TAKEN"),
        arguments(
            "prime claim of another claim",
            given()
                .claim(held())
                .prime(prime(c -> c.annotation(PopulatorMarks.POPULATES, "default/other"))),
            "Wait PRIME_CLAIM_NAME_TAKEN"),
        arguments(
            "prime claim unbound",
            given().claim(held()).prime(prime(c -> c)),
            "Await PRIME_CLAIM_UNBOUND"),
        arguments(
            "node rejected by the provisioner",
            given()
                .claim(
                    claim(c ->
                        c.finalizer(PopulatorMarks.FINALIZER)
                            .annotation(PopulatorMarks.SELECTED_NODE, "n1")))
                .prime(prime(c -> c.annotation(PopulatorMarks.ON_NODE, "n1")))
                .with(DELAYED),
            "Reselect"),
        arguments(
            "node rejected, none selected yet",
            given()
                .claim(held())
                .prime(prime(c -> c.annotation(PopulatorMarks.ON_NODE, "n1")))
                .with(DELAYED),
            "ForgetNode"),
        arguments(
            "no node selected yet",
            given().claim(held()).prime(prime(c -> c)).with(DELAYED),
            "Await PRIME_CLAIM_UNBOUND"),
        arguments(
            "another node selected",
            given()
                .claim(
                    claim(c ->
                        c.finalizer(PopulatorMarks.FINALIZER)
                            .annotation(PopulatorMarks.SELECTED_NODE, "n2")))
                .prime(prime(c -> c.annotation(PopulatorMarks.ON_NODE, "n1")))
                .with(DELAYED),
            "PassNode n2"),
        arguments(
            "prime claim being deleted",
            given().claim(held()).prime(prime(c -> c.deleting())),
            "Await POPULATION_CLEANUP"),
        arguments(
            "prime claim being deleted, with pod",
            given().claim(held()).prime(prime(c -> c.deleting())).pod(pod(Pod.Phase.RUNNING)),
            "DeletePod"));
  }

  private static final UnaryOperator<Given> DELAYED =
      g -> {
        g.binding = StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER;
        return g;
      };

  private static final UnaryOperator<Given> CLASS_DELETED =
      g -> {
        g.hasClass = false;
        return g;
      };

  static Stream<Arguments> claimsWithVolume() {
    return Stream.of(
        arguments("volume ready", given().filled(held()), "CallPopulator"),
        arguments(
            "volume not cached",
            given().claim(held()).prime(boundPrime()),
            "Await PRIME_CLAIM_UNBOUND"),
        arguments(
            "back-off",
            given()
                .filled(held())
                .with(g -> {
                  g.restartDelay = Duration.ofSeconds(4);
                  return g;
                }),
            "CheckAgain PT4S"),
        arguments("volume filled", given().filled(held()).with(FILLED), "Rebind"),
        arguments(
            "pod runs", given().filled(held()).pod(pod(Pod.Phase.RUNNING)), "CheckAgain PT2S"),
        arguments(
            "pod has succeeded", given().filled(held()).pod(pod(Pod.Phase.SUCCEEDED)), "Rebind"),
        arguments(
            "pod has succeeded, class deleted",
            given().filled(held()).pod(pod(Pod.Phase.SUCCEEDED)).with(CLASS_DELETED),
            "Rebind"),
        arguments(
            "pod has failed", given().filled(held()).pod(pod(Pod.Phase.FAILED)), "RestartPod"),
        arguments(
            "pod is being deleted", given().filled(held()).pod(deletedPod()), "CheckAgain PT2S"),
        arguments(
            "foreign pod",
            given().filled(held()).pod(foreignPod()),
            "Wait POPULATOR_POD_NAME_TAKEN"),
        arguments(
            "pod has filled another volume",
            given().filled(held()).pod(podOfAnotherPrime()),
            "DeletePod"),
        arguments(
            "pod unknown",
            given()
                .filled(held())
                .with(g -> {
                  g.pod = new Fact.Unknown<>("timeout");
                  return g;
                }),
            "Unanswered"),
        arguments(
            "volume moved",
            given().filled(held()).volume(volume(KEY, UID)),
            "Await POPULATED_VOLUME_UNBOUND"),
        arguments(
            "volume taken",
            given().filled(held()).volume(volume(KEY, Uid.of("x"))),
            "Wait POPULATED_VOLUME_TAKEN"),
        arguments(
            "volume moved, prime claim Lost",
            given()
                .filled(held())
                .volume(volume(KEY, UID))
                .prime(prime(c -> c.volumeName("pv-1").phase(ClaimPhase.LOST))),
            "Await POPULATED_VOLUME_UNBOUND"),
        arguments(
            "volume gone, prime claim Lost",
            given().claim(held()).prime(prime(c -> c.volumeName("pv-1").phase(ClaimPhase.LOST))),
            "DeletePrime"),
        arguments(
            "filled, claim being deleted",
            given()
                .filled(held())
                .with(FILLED)
                .live(claim(c -> c.finalizer(PopulatorMarks.FINALIZER).deleting())),
            "Conflict"),
        arguments(
            "filled, claim replaced",
            given()
                .filled(held())
                .with(FILLED)
                .live(claim(c -> c.uid("33333333-3333-3333-3333-333333333333"))),
            "Conflict"),
        arguments(
            "filled, claim bound elsewhere",
            given().filled(held()).with(FILLED).live(claim(c -> c.volumeName("other"))),
            "Conflict"),
        arguments(
            "filled, prime claim replaced",
            given()
                .filled(held())
                .with(FILLED)
                .live(prime(c -> c.uid("33333333-3333-3333-3333-333333333333").volumeName("pv-1"))),
            "Conflict"),
        arguments(
            "grant revoked",
            given()
                .filled(
                    claim(
                        c -> c.dataSourceRef(FOREIGN_SOURCE).finalizer(PopulatorMarks.FINALIZER))),
            "Wait DATA_SOURCE_NOT_GRANTED"));
  }

  private static final UnaryOperator<Given> FILLED =
      g -> {
        g.isFilled = true;
        return g;
      };

  static Stream<Arguments> endingPopulations() {
    Claim bound =
        claim(
            c -> c.finalizer(PopulatorMarks.FINALIZER).volumeName("pv-1").phase(ClaimPhase.BOUND));
    Claim claimOfOtherVolume =
        claim(
            c -> c.finalizer(PopulatorMarks.FINALIZER).volumeName("pv-2").phase(ClaimPhase.BOUND));
    Claim lost = prime(c -> c.volumeName("pv-1").phase(ClaimPhase.LOST));
    Claim deleted = claim(c -> c.finalizer(PopulatorMarks.FINALIZER).deleting());
    Volume moved =
        TestObjects.like(volume(KEY, UID))
            .annotation(PopulatorMarks.POPULATED_FROM, "default/index")
            .build();
    return Stream.of(
        arguments(
            "bound, prime claim not Lost",
            given().claim(bound).prime(boundPrime()).volume(moved),
            "Await POPULATED_VOLUME_UNBOUND"),
        arguments(
            "bound, pod",
            given().claim(bound).prime(lost).volume(moved).pod(pod(Pod.Phase.SUCCEEDED)),
            "DeletePod"),
        arguments(
            "bound, foreign pod",
            given().claim(bound).prime(lost).volume(moved).pod(foreignPod()),
            "DeletePrime"),
        arguments(
            "bound, prime claim Lost",
            given().claim(bound).prime(lost).volume(moved),
            "DeletePrime"),
        arguments("bound, prime claim gone", given().claim(bound).volume(moved), "Finish true"),
        arguments(
            "bound, prime claim only in the cluster",
            given().claim(bound).volume(moved).live(lost),
            "Conflict"),
        arguments(
            "bound elsewhere",
            given()
                .claim(claimOfOtherVolume)
                .prime(boundPrime())
                .volume(volume(PRIME_KEY, PRIME_UID)),
            "DeletePrime"),
        arguments(
            "bound elsewhere only in the cache",
            given()
                .claim(claimOfOtherVolume)
                .prime(boundPrime())
                .volume(volume(PRIME_KEY, PRIME_UID))
                .live(held()),
            "Conflict"),
        arguments(
            "bound, not held",
            given().claim(claim(c -> c.volumeName("pv-1").phase(ClaimPhase.BOUND))),
            "Leave"),
        arguments("deleted, pod", given().filled(deleted).pod(pod(Pod.Phase.RUNNING)), "DeletePod"),
        arguments("deleted, prime claim", given().filled(deleted), "DeletePrime"),
        arguments(
            "deleted, prime claim being deleted",
            given().claim(deleted).prime(prime(c -> c.deleting())),
            "Await POPULATION_CLEANUP"),
        arguments(
            "deleted, foreign prime claim",
            given().claim(deleted).prime(prime(c -> c.annotations(Map.of()))),
            "Finish false"),
        arguments("deleted, nothing left", given().claim(deleted), "Finish false"),
        arguments(
            "gone, prime claim",
            given().prime(boundPrime()).volume(volume(PRIME_KEY, PRIME_UID)),
            "DeletePrime"),
        arguments(
            "gone, pod", given().prime(boundPrime()).pod(pod(Pod.Phase.RUNNING)), "DeletePod"),
        arguments("gone only in the cache", given().prime(boundPrime()).live(held()), "Conflict"),
        arguments(
            "replaced",
            given()
                .prime(boundPrime())
                .claim(claim(c -> c.uid("33333333-3333-3333-3333-333333333333"))),
            "DeletePrime"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"claimsBeforeTheFill", "claimsWithVolume", "endingPopulations"})
  void decide_state_returnsNextStep(String id, Given given, String expected)
      throws InterruptedException {
    assertThat(describe(given.decide())).as(id).isEqualTo(expected);
  }

  @Test
  void decide_grantForTheNamespace_addsFinalizer() throws InterruptedException {
    Given given = given().claim(claim(c -> c.dataSourceRef(FOREIGN_SOURCE)));
    ReferenceGrant grant =
        TestObjects.referenceGrant("pages", "allow")
            .from(List.of(new ReferenceGrant.From("", "PersistentVolumeClaim", "default")))
            .to(List.of(new ReferenceGrant.To("example.com", "Page", "")))
            .build();
    given.knownFacts =
        LiveFacts.NONE.with(
            new Question.NamespaceList<>(ReferenceGrant.KIND, "pages"),
            new Fact.Present<>(List.of(grant)));
    assertThat(describe(given.decide())).isEqualTo("AddFinalizer");
  }
}
