package dev.mooring.storage.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;
import java.util.List;

/**
 * Decides from live answers whether another PersistentVolume represents the storage of a volume
 * that is due for deletion. Ids in comments are the rows of {@code docs/dev/live-verdicts.md}.
 */
public final class TwinDecider {
  private TwinDecider() {}

  public static Step<TwinVerdict> decide(Volume volume, List<Volume> twins, LiveFacts live) {
    for (Volume twin : twins) {
      Question.ObjectRead<Volume> question = new Question.ObjectRead<>(Kind.VOLUME, twin.key());
      switch (live.of(question)) {
        case Fact.NotAsked<Volume> _ -> {
          return Step.ask(question);
        }
        case Fact.Unknown<Volume>(String message) -> {
          return Step.decided(new TwinVerdict.Unknown(question, message)); // T2
        }
        case Fact.Present<Volume>(Volume current) when VolumeIdentity.areTwins(volume, current) -> {
          return Step.decided(new TwinVerdict.Exists(current)); // T1
        }
        case Fact.Present<Volume> _,
            Fact.Absent<Volume> _ -> {} // T3: deleted, or represents other storage now
      }
    }
    return Step.decided(new TwinVerdict.None()); // T4
  }
}
