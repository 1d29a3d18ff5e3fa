package dev.mooring.protection.decide;

import static dev.mooring.protection.ProtectedObjects.claim;
import static dev.mooring.protection.ProtectedObjects.ephemeral;
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

/** Table of spec/protection.md 2.5; numbers are its cases. */
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
  private static final Question.All<Pod> PODS = new Question.All<>(Kind.POD, "ns");
  private static final UnusedDecision LEAVE = new UnusedDecision.Leave();
  private static final Pod NO_USER = pod("node", Pod.Phase.RUNNING, "another");

  private static UnusedDecision say(Condition... conditions) {
    return new UnusedDecision.Say(List.of(conditions));
  }

  private static Condition earlier(String status) {
    return new Condition("Unused", status, "x", "y", 0, 7);
  }

  private static Claim saying(Condition... conditions) {
    return TestObjects.like(claim(false)).conditions(conditions).build();
  }

  static Stream<Arguments> claims() {
    Pod running = pod("node", Pod.Phase.RUNNING, "c");
    Claim mine = claim("p-data", false, Uid.of("uid-p"), new String[] {"", "", ""});
    Claim another = claim("p-data", false, Uid.of("uid-q"), new String[] {"", "", ""});
    return Stream.of(
        arguments("24 no condition, unused", saying(), NO_USER, say(UNUSED)),
        arguments("25 condition correct already", saying(earlier("True")), NO_USER, LEAVE),
        arguments("26 begins to be used", saying(earlier("True")), running, say(USED)),
        arguments("27 no condition, used", saying(), running, say(USED)),
        arguments("used, condition correct already", saying(earlier("False")), running, LEAVE),
        arguments("used, unknown is not true", saying(earlier("Unknown")), running, LEAVE),
        arguments("35 no longer used", saying(earlier("False")), NO_USER, say(UNUSED)),
        arguments("unused, unknown", saying(earlier("Unknown")), NO_USER, say(UNUSED)),
        arguments(
            "others stay, in their order",
            saying(earlier("True"), OTHER),
            running,
            say(USED, OTHER)),
        arguments("others stay, and it comes last", saying(OTHER), NO_USER, say(OTHER, UNUSED)),
        arguments(
            "30 an unscheduled pod counts", saying(), pod("", Pod.Phase.PENDING, "c"), say(USED)),
        arguments(
            "31 a succeeded pod does not count",
            saying(),
            pod("node", Pod.Phase.SUCCEEDED, "c"),
            say(UNUSED)),
        arguments(
            "31 a failed pod does not count",
            saying(),
            pod("node", Pod.Phase.FAILED, "c"),
            say(UNUSED)),
        arguments(
            "its own ephemeral claim",
            mine,
            ephemeral(false, false, Pod.Phase.RUNNING, "data"),
            say(USED)),
        arguments(
            "another's ephemeral claim",
            another,
            ephemeral(false, false, Pod.Phase.RUNNING, "data"),
            say(UNUSED)),
        arguments("28 being deleted", claim(true), NO_USER, LEAVE),
        arguments("37 being deleted, used", claim(true), running, LEAVE));
  }

  private static LiveFacts listed(Fact<List<Pod>> pods) {
    return LiveFacts.NONE.with(PODS, pods);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("claims")
  void decide_liveList_determinesTheCondition(
      String row, Claim claim, Pod pod, UnusedDecision expected) {
    assertThat(
            UnusedDecider.decide(
                claim, List.of(), listed(new Fact.Present<>(List.of(NO_USER, pod))), NOW))
        .isEqualTo(Step.decided(expected));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("claims")
  void decide_cache_provesUseOnly(String row, Claim claim, Pod pod, UnusedDecision expected) {
    assertThat(UnusedDecider.decide(claim, List.of(pod), LiveFacts.NONE, NOW))
        .isEqualTo(isUnused(expected) ? Step.ask(PODS) : Step.decided(expected));
  }

  private static boolean isUnused(UnusedDecision decision) {
    return decision instanceof UnusedDecision.Say(List<Condition> all) && all.contains(UNUSED);
  }

  @Test
  void decide_noAnswer_isUnknown() {
    for (Fact<List<Pod>> no :
        List.<Fact<List<Pod>>>of(new Fact.Unknown<>("down"), new Fact.Absent<>())) {
      assertThat(UnusedDecider.decide(saying(), List.of(), listed(no), NOW))
          .isInstanceOfSatisfying(
              Step.Decided.class,
              step -> assertThat(step.decision()).isInstanceOf(UnusedDecision.Unknown.class));
    }
  }

  @Test
  void decide_podBeingDeleted_usesClaimWhileAContainerRuns() {
    Pod leaving = ephemeral(true, false, Pod.Phase.RUNNING, "data");
    Claim mine = claim("p-data", false, Uid.of("uid-p"), new String[] {"", "", ""});
    assertThat(UnusedDecider.decide(mine, List.of(leaving), LiveFacts.NONE, NOW))
        .isEqualTo(Step.decided(say(USED)));
  }

  @Test
  void isUntold_conditionMissing_isTrue() {
    assertThat(UnusedDecider.lacksCondition(saying(OTHER))).isTrue();
    assertThat(UnusedDecider.lacksCondition(saying(earlier("False")))).isFalse();
    assertThat(UnusedDecider.lacksCondition(claim(true))).isFalse();
  }
}
