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
  private long cachedVersion = 100;
  private final ConfirmedAbsences absences = new ConfirmedAbsences(() -> cachedVersion, time);

  private static Claim claim(String name, long version) {
    return TestObjects.claim(ObjectKey.of("ns", name)).uid(name).version(version).build();
  }

  private static <T extends Resource> List<Question<?>> question(Kind<T> kind, String name) {
    return List.of(new Question.ObjectRead<>(kind, ObjectKey.cluster(name)));
  }

  private static LiveFacts allAbsent(List<Question<?>> questions) {
    LiveFacts facts = LiveFacts.NONE;
    for (Question<?> question : questions) {
      facts = facts.with(question, new Fact.Absent<>());
    }
    return facts;
  }

  /** Notes that the claim asked and the API server has none of the objects. */
  private void recordAbsence(Claim claim, List<Question<?>> questions) {
    absences.record(claim, questions, allAbsent(questions), absences.currentTime());
  }

  private boolean isAnswered(Claim claim, List<Question<?>> questions) {
    return absences
        .answer(claim, questions, LiveFacts.NONE)
        .filter(facts -> questions.stream().allMatch(q -> facts.of(q) instanceof Fact.Absent<?>))
        .isPresent();
  }

  @Test
  void answer_sameClaimAgain_isRemembered() {
    List<Question<?>> volume = question(Kind.VOLUME, "v");
    recordAbsence(claim("a", 100), volume);
    assertThat(isAnswered(claim("a", 105), volume)).isTrue();
    absences.forget(ObjectKey.of("ns", "a"));
    assertThat(isAnswered(claim("a", 105), volume)).isFalse();
  }

  @Test
  void answer_missingClass_holdsForAllEarlierClaims() {
    recordAbsence(claim("a", 90), question(Kind.STORAGE_CLASS, "by-hand"));
    assertThat(isAnswered(claim("b", 100), question(Kind.STORAGE_CLASS, "by-hand"))).isTrue();
    assertThat(isAnswered(claim("b", 100), question(Kind.STORAGE_CLASS, "other"))).isFalse();
  }

  @Test
  void answer_claimCreatedAfterTheQuestion_isEmpty() {
    ConfirmedAbsences.QuestionTime began = absences.currentTime();
    cachedVersion = 101; // while the API server answered
    List<Question<?>> questions = question(Kind.STORAGE_CLASS, "by-hand");
    absences.record(claim("a", 90), questions, allAbsent(questions), began);
    assertThat(isAnswered(claim("b", 101), questions)).isFalse();
  }

  @Test
  void answer_oldAbsence_holdsForNoOtherClaim() {
    List<Question<?>> questions = question(Kind.STORAGE_CLASS, "by-hand");
    recordAbsence(claim("a", 90), questions);
    time.advance(Duration.ofSeconds(5));
    assertThat(isAnswered(claim("b", 100), questions)).isTrue();
    time.advance(Duration.ofMillis(1));
    assertThat(isAnswered(claim("b", 100), questions)).isFalse();
    assertThat(isAnswered(claim("a", 90), questions)).isTrue();
    cachedVersion = 103;
    recordAbsence(claim("c", 102), questions);
    assertThat(isAnswered(claim("b", 103), questions)).isTrue();
  }

  @Test
  void answer_missingVolume_holdsForItsClaimOnly() {
    recordAbsence(claim("a", 90), question(Kind.VOLUME, "v"));
    assertThat(isAnswered(claim("b", 100), question(Kind.VOLUME, "v"))).isFalse();
  }

  @Test
  void record_presentObject_isNotRemembered() {
    List<Question<?>> questions = question(Kind.STORAGE_CLASS, "there");
    LiveFacts present =
        LiveFacts.NONE.with(
            new Question.ObjectRead<>(Kind.STORAGE_CLASS, ObjectKey.cluster("there")),
            new Fact.Present<>(TestObjects.storageClass(ObjectKey.cluster("there")).build()));
    absences.record(claim("a", 90), questions, present, absences.currentTime());
    assertThat(isAnswered(claim("a", 90), questions)).isFalse();
    assertThat(isAnswered(claim("b", 90), questions)).isFalse();
  }

  @Test
  void record_manyClassNames_isBounded() {
    for (int i = 0; i < 1000; i++) {
      recordAbsence(claim("a" + i, 90), question(Kind.STORAGE_CLASS, "class-" + i));
    }
    assertThat(isAnswered(claim("b", 90), question(Kind.STORAGE_CLASS, "class-0"))).isTrue();
    assertThat(isAnswered(claim("b", 90), question(Kind.STORAGE_CLASS, "class-999"))).isFalse();
    time.advance(Duration.ofSeconds(6));
    recordAbsence(claim("a", 90), question(Kind.STORAGE_CLASS, "class-999"));
    assertThat(isAnswered(claim("b", 90), question(Kind.STORAGE_CLASS, "class-999"))).isTrue();
  }
}
