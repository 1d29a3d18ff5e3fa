package dev.mooring.storage.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.storage.Made;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What may be made for a claim and destroyed again, row by row. */
class SavedDeciderTest {
  private static final ObjectKey KEY = ObjectKey.cluster("pvc-u");
  private static final Question.One<Volume> VOLUME = new Question.One<>(Kind.VOLUME, KEY);

  private static DynamicTest saved(String title, Fact<Volume> fact, SavedVerdict verdict) {
    return dynamicTest(
        title,
        () ->
            assertThat(SavedDecider.isSaved(KEY, Made.CLAIM, LiveFacts.NONE.with(VOLUME, fact)))
                .isEqualTo(verdict));
  }

  @TestFactory
  Stream<DynamicTest> isItSaved() {
    Volume reserved = Made.volume("c", "u");
    Volume others = Made.volume("d", "u");
    Volume nobodys = Made.volume(null);
    return Stream.of(
        saved("M0 it is asked", new Fact.NotAsked<>(), new SavedVerdict.Ask(List.of(VOLUME))),
        saved("M1 it is not there", new Fact.Absent<>(), new SavedVerdict.NotThere()),
        saved("M2 no answer", new Fact.Unknown<>("x"), new SavedVerdict.CannotTell("x")),
        saved("M3 it is there", new Fact.Present<>(reserved), new SavedVerdict.Saved()),
        saved("M4 another's", new Fact.Present<>(others), new SavedVerdict.NameTaken(others)),
        saved("M4 nobody's", new Fact.Present<>(nobodys), new SavedVerdict.NameTaken(nobodys)));
  }
}
