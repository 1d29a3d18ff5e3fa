package dev.mooring.protection.decide;

import static dev.mooring.protection.ProtectedObjects.attributesClass;
import static dev.mooring.protection.ProtectedObjects.claim;
import static dev.mooring.protection.ProtectedObjects.ephemeralPod;
import static dev.mooring.protection.ProtectedObjects.pod;
import static dev.mooring.protection.ProtectedObjects.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.protection.ProtectedObjects;
import dev.mooring.protection.decide.FinalizerDecider.TerminationReason;
import dev.mooring.protection.decide.FinalizerDecision.ObjectUse;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Decision tables of claims, volumes and classes; each row has an id. */
class FinalizerDeciderTest {
  private static final String F = FinalizerDecider.CLAIM_FINALIZER;
  private static final String V = FinalizerDecider.VOLUME_FINALIZER;
  private static final String C = FinalizerDecider.CLASS_FINALIZER;
  private static final Uid OWNER = Uid.of("uid-p");
  private static final String[] NO_CLASSES = {"", "", ""};

  private static FinalizerDecision protect(String... finalizers) {
    return new FinalizerDecision.Protect(List.of(finalizers));
  }

  private static FinalizerDecision release(String... finalizers) {
    return new FinalizerDecision.Release(List.of(finalizers));
  }

  private static final FinalizerDecision UNCHANGED = new FinalizerDecision.Unchanged();
  private static final FinalizerDecision HOLD =
      hold(TerminationReason.HELD_BY_PODS, "ns/p", "on node node");
  private static final Question.NamespaceList<Pod> PODS =
      new Question.NamespaceList<>(Kind.POD, "ns");

  private static FinalizerDecision hold(TerminationReason reason, String name, String detail) {
    return new FinalizerDecision.Hold(List.of(new ObjectUse(reason, name, detail)));
  }

  private static Step<FinalizerDecision> decideClaim(
      Claim claim, List<Pod> cached, LiveFacts live, Compat compat) {
    return FinalizerDecider.claimRule(key -> cached, compat, Integer.MAX_VALUE).decide(claim, live);
  }

  private static Step<FinalizerDecision> decideClaim(Claim claim, List<Pod> pods, Compat compat) {
    return decideClaim(claim, pods, LiveFacts.NONE.with(PODS, new Fact.Present<>(pods)), compat);
  }

  static Stream<Arguments> claims() {
    Pod running = pod("node", Pod.Phase.RUNNING, "c");
    Claim ephemeralClaim = claim("p-data", true, OWNER, NO_CLASSES, F);
    return Stream.of(
        arguments("1 finalizer missing", claim(false), null, protect(F)),
        arguments("1 foreign finalizers stay", claim(false, "x/y"), null, protect("x/y", F)),
        arguments("2 finalizer is present", claim(false, F), null, UNCHANGED),
        arguments("2 not being deleted, in use or not", claim(false, F), running, UNCHANGED),
        arguments("4 deleted and unused", claim(true, F), null, release()),
        arguments("4 foreign finalizers stay", claim(true, "a", F, "b"), null, release("a", "b")),
        arguments("5 deleted without finalizer", claim(true, "a"), null, UNCHANGED),
        arguments("8 a running pod holds", claim(true, F), running, HOLD),
        arguments(
            "9 a pod with another claim",
            claim(true, F),
            pod("node", Pod.Phase.RUNNING, "d"),
            release()),
        arguments(
            "16 an unscheduled pod", claim(true, F), pod("", Pod.Phase.PENDING, "c"), release()),
        arguments(
            "22 ephemeral, its owner",
            ephemeralClaim,
            ephemeralPod(true, false, Pod.Phase.RUNNING, "data"),
            hold(TerminationReason.HELD_BY_PODS, "ns/p", "on node node, being deleted")),
        arguments(
            "22 ephemeral, its owner shut down",
            ephemeralClaim,
            ephemeralPod(true, true, Pod.Phase.RUNNING, "data"),
            release()),
        arguments(
            "22 ephemeral, owned by another",
            claim("p-data", true, Uid.of("uid-q"), NO_CLASSES, F),
            ephemeralPod(false, false, Pod.Phase.RUNNING, "data"),
            release()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("claims")
  void decide_claim_returnsRow(String row, Claim claim, Pod pod, FinalizerDecision expected) {
    List<Pod> pods = pod == null ? List.of() : List.of(pod);
    for (Compat compat : Compat.values()) {
      Step<FinalizerDecision> decided = Step.decided(expected);
      assertThat(decideClaim(claim, pods, compat)).isEqualTo(decided);
      LiveFacts live = LiveFacts.NONE.with(PODS, new Fact.Present<>(pods));
      assertThat(decideClaim(claim, List.of(), live, compat)).as("stale cache").isEqualTo(decided);
      assertThat(decideClaim(claim, pods, LiveFacts.NONE, compat))
          .as("cache alone")
          .isEqualTo(expected instanceof FinalizerDecision.Release ? Step.ask(PODS) : decided);
    }
  }

  @Test
  void decide_finishedPodUsesClaim_holdsInKubernetesOnly() {
    for (Pod.Phase phase : List.of(Pod.Phase.SUCCEEDED, Pod.Phase.FAILED)) {
      List<Pod> pods = List.of(pod("node", phase, "c"));
      assertThat(decideClaim(claim(true, F), pods, Compat.KUBERNETES))
          .as("11")
          .isEqualTo(Step.decided(HOLD));
      assertThat(decideClaim(claim(true, F), pods, Compat.MOORING))
          .isEqualTo(Step.decided(release()));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "FAILED"})
  void decide_kubeletRemovesFinishedPod_holds(Pod.Phase phase) {
    Claim claim = claim("p-data", true, OWNER, NO_CLASSES, F);
    List<Pod> pods = List.of(ephemeralPod(true, false, phase, "data"));
    assertThat(decideClaim(claim, pods, Compat.MOORING))
        .isEqualTo(
            Step.decided(
                hold(TerminationReason.HELD_BY_PODS, "ns/p", "on node node, being deleted")));
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "FAILED"})
  void decide_kubeletIsDoneWithFinishedPod_releases(Pod.Phase phase) {
    Claim claim = claim("p-data", true, OWNER, NO_CLASSES, F);
    List<Pod> pods = List.of(ephemeralPod(true, true, phase, "data"));
    assertThat(decideClaim(claim, pods, Compat.MOORING)).isEqualTo(Step.decided(release()));
  }

  static Stream<Arguments> answers() {
    return Stream.of(
        arguments("U1 unused", new Fact.Present<List<Pod>>(List.of()), Step.decided(release())),
        arguments(
            "U2 a pod uses it",
            new Fact.Present<>(List.of(pod("node", Pod.Phase.RUNNING, "c"))),
            Step.decided(HOLD)),
        arguments("U3 no answer", new Fact.Unknown<List<Pod>>("x"), Step.decided(unknown("x"))),
        arguments(
            "U4 no list",
            new Fact.Absent<List<Pod>>(),
            Step.decided(unknown("the API server has no list of pods"))),
        arguments("U5 not asked", new Fact.NotAsked<List<Pod>>(), Step.ask(PODS)));
  }

  private static FinalizerDecision unknown(String message) {
    return new FinalizerDecision.Unknown(PODS, "pods use", message);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("answers")
  void decide_claimUnusedInCache_needsLiveList(
      String row, Fact<List<Pod>> livePods, Step<FinalizerDecision> expected) {
    LiveFacts live = LiveFacts.NONE.with(PODS, livePods);
    assertThat(decideClaim(claim(true, F), List.of(), live, Compat.MOORING)).isEqualTo(expected);
  }

  @Test
  void decide_severalPodsUseClaim_returnsAllUses() {
    Pod deletedPod =
        TestObjects.pod(TestObjects.metaOf(ObjectKey.of("ns", "a")).deleted(2).meta())
            .nodeName("n")
            .claims(List.of("c"))
            .build();
    List<Pod> pods = List.of(pod("node", Pod.Phase.RUNNING, "c"), deletedPod);
    assertThat(decideClaim(claim(true, F), pods, LiveFacts.NONE, Compat.MOORING))
        .isEqualTo(
            Step.decided(
                new FinalizerDecision.Hold(
                    List.of(
                        new ObjectUse(
                            TerminationReason.HELD_BY_PODS, "ns/a", "on node n, being deleted"),
                        new ObjectUse(TerminationReason.HELD_BY_PODS, "ns/p", "on node node")))));
  }

  /** Thousands of pods may use the claim, and the end of each requeues it. */
  @Test
  void decide_manyPodsUseClaim_readsNoMoreThanMaximum() {
    Iterable<Pod> pods =
        () ->
            Stream.concat(
                    Stream.of(pod("node", Pod.Phase.RUNNING, "c")),
                    Stream.generate(() -> {
                      throw new AssertionError("another pod is tested");
                    }))
                .iterator();
    assertThat(
            FinalizerDecider.claimRule(key -> pods, Compat.MOORING, 1)
                .decide(claim(true, F), LiveFacts.NONE))
        .isEqualTo(Step.decided(HOLD));
  }

  static Stream<Arguments> volumes() {
    Volume bound = volume(VolumePhase.BOUND, true, "", V);
    return Stream.of(
        arguments("38 missing", volume(VolumePhase.BOUND, false, ""), protect(V)),
        arguments("39 there", volume(VolumePhase.BOUND, false, "", V), UNCHANGED),
        arguments("41 not bound", volume(VolumePhase.RELEASED, true, "", V), release()),
        arguments("41 failed", volume(VolumePhase.FAILED, true, "", V, "x"), release("x")),
        arguments(
            "43 bound",
            ProtectedObjects.withClaimRef(
                new ClaimRef(ObjectKey.of("ns", "c"), Uid.of("u")), bound),
            hold(TerminationReason.HELD_BY_CLAIM, "ns/c", "it is bound to the claim")),
        arguments(
            "43 volume without claimRef in phase Bound",
            bound,
            hold(TerminationReason.HELD_BY_PHASE, "Bound", "it names no claim")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("volumes")
  void decide_volume_returnsRow(String row, Volume volume, FinalizerDecision expected) {
    assertThat(FinalizerDecider.volumeRule().decide(volume, LiveFacts.NONE))
        .isEqualTo(Step.decided(expected));
  }

  private static Step<FinalizerDecision> decideClass(
      AttributesClass attributes, List<Claim> claims, List<Volume> volumes) {
    return FinalizerDecider.attributesClassRule(claims, volumes).decide(attributes, LiveFacts.NONE);
  }

  @Test
  void decide_classNamedByClaimOrVolume_isHeld() {
    AttributesClass deleted = attributesClass(true, C);
    assertThat(decideClass(attributesClass(false), List.of(), List.of()))
        .as("44")
        .isEqualTo(Step.decided(protect(C)));
    assertThat(decideClass(deleted, List.of(), List.of()))
        .as("47")
        .isEqualTo(Step.decided(release()));
    List<Volume> volumes = List.of(volume(VolumePhase.AVAILABLE, false, "gold"));
    assertThat(decideClass(deleted, List.of(), volumes))
        .as("49")
        .isEqualTo(
            Step.decided(hold(TerminationReason.HELD_BY_FINALIZERS, "v", "it has the class")));
    for (int index = 0; index < 3; index++) {
      String[] classes = {"", "", ""};
      classes[index] = "gold";
      List<Claim> claims = List.of(claim("c", false, Uid.NONE, classes));
      assertThat(decideClass(deleted, claims, List.of()))
          .as("50, 53: spec, current or target")
          .isEqualTo(
              Step.decided(
                  hold(
                      TerminationReason.HELD_BY_FINALIZERS,
                      "ns/c",
                      "it has or requests the class")));
    }
  }
}
