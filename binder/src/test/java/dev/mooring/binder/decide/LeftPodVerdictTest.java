package dev.mooring.binder.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Verdicts whether a recycler pod still scrubs a volume. */
class LeftPodVerdictTest {
  private static final Question.One<Pod> OURS = pod("ours");
  private static final Question.One<Pod> KUBERNETES = pod("kubernetes");

  private static Question.One<Pod> pod(String name) {
    return new Question.One<>(Kind.POD, ObjectKey.of("default", name));
  }

  private static Pod pod(Question.One<Pod> of, Pod.Phase phase) {
    return TestObjects.pod(of.key())
        .uid("left")
        .created(1)
        .nodeName("n")
        .phase(phase)
        .containersStopped(true)
        .build();
  }

  private static DynamicTest row(
      String title, Fact<Pod> ours, Fact<Pod> kubernetes, LeftPodVerdict verdict) {
    return row(title, ours, kubernetes, Step.decided(verdict));
  }

  private static DynamicTest row(
      String title, Fact<Pod> ours, Fact<Pod> kubernetes, Step<LeftPodVerdict> step) {
    return dynamicTest(
        title,
        () ->
            assertThat(
                    RecycleDecider.findLeftPod(
                        List.of(OURS.key(), KUBERNETES.key()),
                        LiveFacts.NONE.with(OURS, ours).with(KUBERNETES, kubernetes)))
                .isEqualTo(step));
  }

  @TestFactory
  Stream<DynamicTest> left_eachPod_returnsVerdict() {
    Fact<Pod> openQuestions = new Fact.NotAsked<>();
    Fact<Pod> gone = new Fact.Absent<>();
    Fact<Pod> unclear = new Fact.Unknown<>("x");
    Fact<Pod> ended = new Fact.Present<>(pod(KUBERNETES, Pod.Phase.SUCCEEDED));
    Pod running = pod(OURS, Pod.Phase.RUNNING);
    Pod second = pod(KUBERNETES, Pod.Phase.PENDING);
    LeftPodVerdict silent =
        new LeftPodVerdict.CannotTell(
            "whether pod default/kubernetes scrubs the volume is unknown: x");
    return Stream.of(
        row("E0 both are asked", openQuestions, openQuestions, Step.ask(OURS, KUBERNETES)),
        row("E0 one is asked", gone, openQuestions, Step.ask(KUBERNETES)),
        row("E1 there is none", gone, gone, new LeftPodVerdict.None()),
        row("E2 no answer", gone, unclear, silent),
        row("E2 no answer, and another one runs", new Fact.Present<>(running), unclear, silent),
        row("E3 it has ended", gone, ended, new LeftPodVerdict.None()),
        row("E4 it runs", new Fact.Present<>(running), gone, new LeftPodVerdict.Scrubs(running)),
        row(
            "E4 one after the other",
            new Fact.Present<>(running),
            new Fact.Present<>(second),
            new LeftPodVerdict.Scrubs(running)));
  }
}
