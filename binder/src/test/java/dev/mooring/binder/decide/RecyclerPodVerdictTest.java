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
class RecyclerPodVerdictTest {
  private static final Question.ObjectRead<Pod> OURS = pod("ours");
  private static final Question.ObjectRead<Pod> KUBERNETES = pod("kubernetes");

  private static Question.ObjectRead<Pod> pod(String name) {
    return new Question.ObjectRead<>(Kind.POD, ObjectKey.of("default", name));
  }

  private static Pod pod(Question.ObjectRead<Pod> question, Pod.Phase phase) {
    return TestObjects.pod(question.key())
        .uid("left")
        .created(1)
        .nodeName("n")
        .phase(phase)
        .containersStopped(true)
        .build();
  }

  private static DynamicTest row(
      String title, Fact<Pod> mooringPod, Fact<Pod> kubernetes, RecyclerPodVerdict verdict) {
    return row(title, mooringPod, kubernetes, Step.decided(verdict));
  }

  private static DynamicTest row(
      String title, Fact<Pod> mooringPod, Fact<Pod> kubernetes, Step<RecyclerPodVerdict> step) {
    return dynamicTest(
        title,
        () ->
            assertThat(
                    RecycleDecider.findRunningPod(
                        List.of(OURS.key(), KUBERNETES.key()),
                        LiveFacts.NONE.with(OURS, mooringPod).with(KUBERNETES, kubernetes)))
                .isEqualTo(step));
  }

  @TestFactory
  Stream<DynamicTest> findRunningPod_eachAnswer_returnsVerdict() {
    Fact<Pod> openQuestions = new Fact.NotAsked<>();
    Fact<Pod> absent = new Fact.Absent<>();
    Fact<Pod> unclear = new Fact.Unknown<>("x");
    Fact<Pod> terminated = new Fact.Present<>(pod(KUBERNETES, Pod.Phase.SUCCEEDED));
    Pod running = pod(OURS, Pod.Phase.RUNNING);
    Pod second = pod(KUBERNETES, Pod.Phase.PENDING);
    RecyclerPodVerdict silent =
        new RecyclerPodVerdict.Unknown(
            "whether pod default/kubernetes scrubs the volume is unknown: x");
    return Stream.of(
        row("E0 both are asked", openQuestions, openQuestions, Step.ask(OURS, KUBERNETES)),
        row("E0 one is asked", absent, openQuestions, Step.ask(KUBERNETES)),
        row("E1 there is none", absent, absent, new RecyclerPodVerdict.None()),
        row("E2 no answer", absent, unclear, silent),
        row("E2 no answer, and another one runs", new Fact.Present<>(running), unclear, silent),
        row("E3 it has ended", absent, terminated, new RecyclerPodVerdict.None()),
        row(
            "E4 it runs",
            new Fact.Present<>(running),
            absent,
            new RecyclerPodVerdict.Scrubs(running)),
        row(
            "E4 one after the other",
            new Fact.Present<>(running),
            new Fact.Present<>(second),
            new RecyclerPodVerdict.Scrubs(running)));
  }
}
