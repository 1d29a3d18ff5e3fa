package dev.mooring.binder.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfirmedAbsencesTest {
  private final SimTime time = new SimTime();
  private long known = 100;
  private final ConfirmedAbsences absences = new ConfirmedAbsences(() -> known, time);

  private static Claim claim(String name, long version) {
    return TestObjects.claim(ObjectKey.of("ns", name)).uid(name).version(version).build();
  }

  private static <T extends Resource> List<Question<?>> about(Kind<T> kind, String name) {
    return List.of(new Question.One<>(kind, ObjectKey.cluster(name)));
  }

  private static LiveFacts none(List<Question<?>> questions) {
    LiveFacts facts = LiveFacts.NONE;
    for (Question<?> question : questions) {
      facts = facts.with(question, new Fact.Absent<>());
    }
    return facts;
  }

  /** Notes that the claim asked and the API server has none of the objects. */
  private void asks(Claim claim, List<Question<?>> questions) {
    absences.note(claim, questions, none(questions), absences.now());
  }

  private boolean isAnswered(Claim claim, List<Question<?>> questions) {
    return absences
        .answer(claim, questions, LiveFacts.NONE)
        .filter(facts -> questions.stream().allMatch(q -> facts.of(q) instanceof Fact.Absent<?>))
        .isPresent();
  }

  @Test
  void answer_sameClaimAgain_isRemembered() {
    List<Question<?>> volume = about(Kind.VOLUME, "v");
    asks(claim("a", 100), volume);
    assertThat(isAnswered(claim("a", 105), volume)).isTrue();
    absences.forget(ObjectKey.of("ns", "a"));
    assertThat(isAnswered(claim("a", 105), volume)).isFalse();
  }

  @Test
  void answer_missingClass_holdsForAllEarlierClaims() {
    asks(claim("a", 90), about(Kind.STORAGE_CLASS, "by-hand"));
    assertThat(isAnswered(claim("b", 100), about(Kind.STORAGE_CLASS, "by-hand"))).isTrue();
    assertThat(isAnswered(claim("b", 100), about(Kind.STORAGE_CLASS, "other"))).isFalse();
  }

  @Test
  void answer_claimCreatedAfterTheQuestion_isEmpty() {
    ConfirmedAbsences.QuestionTime began = absences.now();
    known = 101; // while the API server answered
    List<Question<?>> questions = about(Kind.STORAGE_CLASS, "by-hand");
    absences.note(claim("a", 90), questions, none(questions), began);
    assertThat(isAnswered(claim("b", 101), questions)).isFalse();
  }

  @Test
  void answer_oldAbsence_holdsForNoOtherClaim() {
    List<Question<?>> questions = about(Kind.STORAGE_CLASS, "by-hand");
    asks(claim("a", 90), questions);
    time.advance(Duration.ofSeconds(5));
    assertThat(isAnswered(claim("b", 100), questions)).isTrue();
    time.advance(Duration.ofMillis(1));
    assertThat(isAnswered(claim("b", 100), questions)).isFalse();
    assertThat(isAnswered(claim("a", 90), questions)).isTrue();
    known = 103;
    asks(claim("c", 102), questions);
    assertThat(isAnswered(claim("b", 103), questions)).isTrue();
  }

  @Test
  void answer_missingVolume_holdsForItsClaimOnly() {
    asks(claim("a", 90), about(Kind.VOLUME, "v"));
    assertThat(isAnswered(claim("b", 100), about(Kind.VOLUME, "v"))).isFalse();
  }

  @Test
  void note_presentObject_isNotRemembered() {
    List<Question<?>> questions = about(Kind.STORAGE_CLASS, "there");
    LiveFacts there =
        LiveFacts.NONE.with(
            new Question.One<>(Kind.STORAGE_CLASS, ObjectKey.cluster("there")),
            new Fact.Present<>(TestObjects.storageClass(ObjectKey.cluster("there")).build()));
    absences.note(claim("a", 90), questions, there, absences.now());
    assertThat(isAnswered(claim("a", 90), questions)).isFalse();
    assertThat(isAnswered(claim("b", 90), questions)).isFalse();
  }

  @Test
  void note_manyClassNames_isBounded() {
    for (int i = 0; i < 1000; i++) {
      asks(claim("a" + i, 90), about(Kind.STORAGE_CLASS, "class-" + i));
    }
    assertThat(isAnswered(claim("b", 90), about(Kind.STORAGE_CLASS, "class-0"))).isTrue();
    assertThat(isAnswered(claim("b", 90), about(Kind.STORAGE_CLASS, "class-999"))).isFalse();
    time.advance(Duration.ofSeconds(6));
    asks(claim("a", 90), about(Kind.STORAGE_CLASS, "class-999"));
    assertThat(isAnswered(claim("b", 90), about(Kind.STORAGE_CLASS, "class-999"))).isTrue();
  }
}
