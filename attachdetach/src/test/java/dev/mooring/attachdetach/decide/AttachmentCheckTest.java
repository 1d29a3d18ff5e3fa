package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.AttachmentCheck.GoneVerdict;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.testkit.Builders;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Which detach has succeeded, row by row. */
class AttachmentCheckTest {
  private static final ObjectKey KEY = ObjectKey.cluster("a");
  private static final Question.One<Attachment> QUESTION = new Question.One<>(Kind.ATTACHMENT, KEY);
  private static final Attachment NOW =
      Builders.attachment(KEY)
          .uid("new")
          .created(1)
          .attacher("d")
          .volumeName("v")
          .nodeName("n")
          .attached(true)
          .build();

  private static DynamicTest row(
      String title, Optional<String> known, Fact<Attachment> fact, GoneVerdict verdict) {
    return DynamicTest.dynamicTest(
        title,
        () ->
            assertThat(
                    AttachmentCheck.decide(
                        KEY, known.map(Uid::of), LiveFacts.NONE.with(QUESTION, fact)))
                .isEqualTo(verdict));
  }

  @TestFactory
  Stream<DynamicTest> whatIsDetached() {
    Fact<Attachment> there = new Fact.Present<>(NOW);
    GoneVerdict gone = new GoneVerdict.Gone();
    GoneVerdict still = new GoneVerdict.StillThere(NOW);
    return Stream.of(
        row(
            "G0 the server is asked",
            Optional.of("new"),
            new Fact.NotAsked<>(),
            new GoneVerdict.Ask(List.of(QUESTION))),
        row("G1 there is none", Optional.of("new"), new Fact.Absent<>(), gone),
        row(
            "G2 no answer",
            Optional.of("new"),
            new Fact.Unknown<>("x"),
            new GoneVerdict.CannotTell("x")),
        row("G3 another one of its name", Optional.of("old"), there, gone),
        row("G4 it is there", Optional.of("new"), there, still),
        row("G5 one that nobody knew of is there", Optional.empty(), there, still));
  }
}
