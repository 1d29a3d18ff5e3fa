package dev.mooring.storage.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.storage.ProvisionedClaim;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class SavedDeciderTest {
  private static final ObjectKey KEY = ObjectKey.cluster("pvc-u");
  private static final Question.ObjectRead<Volume> VOLUME =
      new Question.ObjectRead<>(Kind.VOLUME, KEY);

  private static DynamicTest saved(String title, Fact<Volume> fact, Step<SavedVerdict> step) {
    return dynamicTest(
        title,
        () ->
            assertThat(
                    SavedDecider.decide(
                        KEY, ProvisionedClaim.CLAIM, LiveFacts.NONE.with(VOLUME, fact)))
                .isEqualTo(step));
  }

  @TestFactory
  Stream<DynamicTest> isSaved_eachRow_returnsVerdict() {
    Volume reserved = ProvisionedClaim.volume("c", "u");
    Volume anotherClaims = ProvisionedClaim.volume("d", "u");
    Volume unclaimed = ProvisionedClaim.volume(null);
    return Stream.of(
        saved("M0 asks the server", new Fact.NotAsked<>(), Step.ask(VOLUME)),
        saved("M1 volume absent", new Fact.Absent<>(), Step.decided(new SavedVerdict.NotThere())),
        saved(
            "M2 read failed", new Fact.Unknown<>("x"), Step.decided(new SavedVerdict.Unknown("x"))),
        saved(
            "M3 own volume exists",
            new Fact.Present<>(reserved),
            Step.decided(new SavedVerdict.Saved())),
        saved(
            "M4 volume of another claim",
            new Fact.Present<>(anotherClaims),
            Step.decided(new SavedVerdict.NameTaken(anotherClaims))),
        saved(
            "M4 volume without a claim",
            new Fact.Present<>(unclaimed),
            Step.decided(new SavedVerdict.NameTaken(unclaimed))));
  }
}
