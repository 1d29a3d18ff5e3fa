package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.AttachmentCheck.GoneVerdict;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Rows of the decision whether a detach has succeeded. */
class AttachmentCheckTest {
  private static final ObjectKey KEY = ObjectKey.cluster("a");
  private static final Question.ObjectRead<Attachment> QUESTION =
      new Question.ObjectRead<>(Kind.ATTACHMENT, KEY);
  private static final Attachment NOW =
      TestObjects.attachment(KEY)
          .uid("new")
          .created(1)
          .attacher("d")
          .volumeName("v")
          .nodeName("n")
          .attached(true)
          .build();

  private static DynamicTest row(String title, Fact<Attachment> fact, Step<GoneVerdict> verdict) {
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertThat(AttachmentCheck.decide(KEY, LiveFacts.NONE.with(QUESTION, fact)))
                .isEqualTo(verdict));
  }

  @TestFactory
  Stream<DynamicTest> decide_tableRow_returnsVerdict() {
    return Stream.of(
        row("G0 needs a live read", new Fact.NotAsked<>(), Step.ask(QUESTION)),
        row("G1 there is none", new Fact.Absent<>(), Step.decided(new GoneVerdict.Gone())),
        row("G2 no answer", new Fact.Unknown<>("x"), Step.decided(new GoneVerdict.Unknown("x"))),
        row(
            "G3, G4 it exists, or another one of its name",
            new Fact.Present<>(NOW),
            Step.decided(new GoneVerdict.StillExists(NOW))));
  }
}
