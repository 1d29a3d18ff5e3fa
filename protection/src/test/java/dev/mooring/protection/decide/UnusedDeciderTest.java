package dev.mooring.protection.decide;

import static dev.mooring.protection.ProtectedObjects.claim;
import static dev.mooring.protection.ProtectedObjects.ephemeralPod;
import static dev.mooring.protection.ProtectedObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.testkit.TestObjects;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Decision table; each row has an id. */
class UnusedDeciderTest {
  private static final Instant NOW = Instant.ofEpochSecond(5000);
  private static final Condition OTHER = new Condition("Resizing", "True", "r", "m", 1, 2);
  private static final Condition USED =
      new Condition(
          "Unused", "False", "PodUsingPVC", "A pod is currently referencing this PVC", 0, 5000);
  private static final Condition UNUSED =
      new Condition(
          "Unused",
          "True",
          "NoPodsUsingPVC",
          "No pods are currently referencing this PVC",
          0,
          5000);
  private static final Question.NamespaceList<Pod> PODS =
      new Question.NamespaceList<>(Kind.POD, "ns");
  private static final UnusedDecision UNCHANGED = new UnusedDecision.Unchanged();
  private static final Pod NO_USER = pod("node", Pod.Phase.RUNNING, "another");

  private static UnusedDecision setCondition(Condition... conditions) {
    return new UnusedDecision.SetCondition(List.of(conditions));
  }

  private static Condition earlierCondition(String status) {
    return new Condition("Unused", status, "x", "y", 0, 7);
  }

  private static Claim claimWith(Condition... conditions) {
    return TestObjects.like(claim(false)).conditions(conditions).build();
  }

  static Stream<Arguments> claims() {
    Pod running = pod("node", Pod.Phase.RUNNING, "c");
    Claim ownClaim = claim("p-data", false, Uid.of("uid-p"), new String[] {"", "", ""});
    Claim otherClaim = claim("p-data", false, Uid.of("uid-q"), new String[] {"", "", ""});
    return Stream.of(
        arguments("24 no condition, unused", claimWith(), NO_USER, setCondition(UNUSED)),
        arguments(
            "25 condition correct already",
            claimWith(earlierCondition("True")),
            NO_USER,
            UNCHANGED),
        arguments(
            "26 begins to be used",
            claimWith(earlierCondition("True")),
            running,
            setCondition(USED)),
        arguments("27 no condition, used", claimWith(), running, setCondition(USED)),
        arguments(
            "used, condition correct already",
            claimWith(earlierCondition("False")),
            running,
            UNCHANGED),
        arguments(
            "used, unknown is not true",
            claimWith(earlierCondition("Unknown")),
            running,
            UNCHANGED),
        arguments(
            "35 no longer used",
            claimWith(earlierCondition("False")),
            NO_USER,
            setCondition(UNUSED)),
        arguments(
            "unused, unknown",
            claimWith(earlierCondition("Unknown")),
            NO_USER,
            setCondition(UNUSED)),
        arguments(
            "others stay, in their order",
            claimWith(earlierCondition("True"), OTHER),
            running,
            setCondition(USED, OTHER)),
        arguments(
            "others stay, and it comes last",
            claimWith(OTHER),
            NO_USER,
            setCondition(OTHER, UNUSED)),
        arguments(
            "30 an unscheduled pod counts",
            claimWith(),
            pod("", Pod.Phase.PENDING, "c"),
            setCondition(USED)),
        arguments(
            "31 a succeeded pod does not count",
            claimWith(),
            pod("node", Pod.Phase.SUCCEEDED, "c"),
            setCondition(UNUSED)),
        arguments(
            "31 a failed pod does not count",
            claimWith(),
            pod("node", Pod.Phase.FAILED, "c"),
            setCondition(UNUSED)),
        arguments(
            "its own ephemeral claim",
            ownClaim,
            ephemeralPod(false, false, Pod.Phase.RUNNING, "data"),
            setCondition(USED)),
        arguments(
            "another's ephemeral claim",
            otherClaim,
            ephemeralPod(false, false, Pod.Phase.RUNNING, "data"),
            setCondition(UNUSED)),
        arguments("28 being deleted", claim(true), NO_USER, UNCHANGED),
        arguments("37 being deleted, used", claim(true), running, UNCHANGED));
  }

  private static LiveFacts podFacts(Fact<List<Pod>> pods) {
    return LiveFacts.NONE.with(PODS, pods);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("claims")
  void decide_liveList_determinesCondition(
      String row, Claim claim, Pod pod, UnusedDecision expected) {
    assertThat(
            UnusedDecider.decide(
                claim, List.of(), podFacts(new Fact.Present<>(List.of(NO_USER, pod))), NOW))
        .isEqualTo(Step.decided(expected));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("claims")
  void decide_cache_provesUseOnly(String row, Claim claim, Pod pod, UnusedDecision expected) {
    assertThat(UnusedDecider.decide(claim, List.of(pod), LiveFacts.NONE, NOW))
        .isEqualTo(isUnused(expected) ? Step.ask(PODS) : Step.decided(expected));
  }

  private static boolean isUnused(UnusedDecision decision) {
    return decision instanceof UnusedDecision.SetCondition(List<Condition> conditions)
        && conditions.contains(UNUSED);
  }

  @Test
  void decide_noLiveList_isUnknown() {
    for (Fact<List<Pod>> fact :
        List.<Fact<List<Pod>>>of(new Fact.Unknown<>("down"), new Fact.Absent<>())) {
      assertThat(UnusedDecider.decide(claimWith(), List.of(), podFacts(fact), NOW))
          .isInstanceOfSatisfying(
              Step.Decided.class,
              step -> assertThat(step.decision()).isInstanceOf(UnusedDecision.Unknown.class));
    }
  }

  @Test
  void decide_podBeingDeletedStillRuns_usesClaim() {
    Pod deletedPod = ephemeralPod(true, false, Pod.Phase.RUNNING, "data");
    Claim ownClaim = claim("p-data", false, Uid.of("uid-p"), new String[] {"", "", ""});
    assertThat(UnusedDecider.decide(ownClaim, List.of(deletedPod), LiveFacts.NONE, NOW))
        .isEqualTo(Step.decided(setCondition(USED)));
  }

  @Test
  void lacksCondition_claim_isTrueIfConditionMissing() {
    assertThat(UnusedDecider.lacksCondition(claimWith(OTHER))).isTrue();
    assertThat(UnusedDecider.lacksCondition(claimWith(earlierCondition("False")))).isFalse();
    assertThat(UnusedDecider.lacksCondition(claim(true))).isFalse();
  }
}
