package dev.mooring.storage.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Volume;
import java.util.List;

/** Whether the volume that is made for a claim is saved as an object already. */
public sealed interface SavedVerdict {
  /** It is not: it may be made, and what was made may be destroyed again. */
  record NotThere() implements SavedVerdict {}

  /** It is. */
  record Saved() implements SavedVerdict {}

  /** Another volume has its name. */
  record NameTaken(Volume by) implements SavedVerdict {
    /**
     * The same in words, for an event of a claim.
     *
     * @param namespace of the claim; a claim of another namespace is not named
     */
    public String note(String namespace) {
      return "volume \"" + by.meta().name() + "\" exists already and is " + owner(namespace);
    }

    private String owner(String namespace) {
      ClaimRef ref = by.claimRef();
      if (ref == null || ref.isEmpty()) {
        return "no claim's";
      }
      return ref.isIn(namespace)
          ? "claim \"" + ref.claim() + "\"'s"
          : "that of a claim of another namespace";
    }
  }

  /**
   * Describes a volume that has the name of a claim's volume, for an event of the claim.
   *
   * @param namespace namespace of the claim; a claim of another namespace is not named
   */
  static String describeNameTaken(Volume by, String namespace) {
    return new NameTaken(by).note(namespace);
  }

  /** What it rests on no cache may answer: ask, and decide again. */
  record Ask(List<Question<?>> questions) implements SavedVerdict, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** The server gave no answer: it may be there. Nothing is made, and nothing is destroyed. */
  record CannotTell(String why) implements SavedVerdict {}
}
