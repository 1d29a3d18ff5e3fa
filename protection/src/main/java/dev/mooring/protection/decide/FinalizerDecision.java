package dev.mooring.protection.decide;

import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import java.util.List;

/** What becomes of an object's protection finalizer. */
public sealed interface FinalizerDecision {
  /** What it rests on no cache may answer: ask, and decide again. */
  record Ask(List<Question<?>> questions) implements FinalizerDecision, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** It is missing; these finalizers ought to be there. */
  record Protect(List<String> finalizers) implements FinalizerDecision {}

  /** The object is being deleted and unused: these finalizers are left. */
  record Release(List<String> finalizers) implements FinalizerDecision {}

  /**
   * The object is being deleted but in use.
   *
   * @param uses who uses it, at least one, and as many as whoever decides wants to know
   */
  record Hold(List<Use> uses) implements FinalizerDecision {
    public Hold {
      uses = List.copyOf(uses);
      if (uses.isEmpty()) {
        throw new IllegalArgumentException("nobody holds it");
      }
    }
  }

  /** It is as it ought to be. */
  record Leave() implements FinalizerDecision {}

  /**
   * Whether it is in use could not be found out: it stays, and is asked again.
   *
   * @param question what got no answer
   * @param clause what the answer would have told of the object: "pods use"
   * @param why what the server said, for people
   */
  record Unknown(Question<?> question, String clause, String why) implements FinalizerDecision {}

  /**
   * Something that uses the object.
   *
   * @param what what kind of thing
   * @param name its name, with its namespace
   * @param how what it has to do with the object, for people
   */
  record Use(What what, String name, String how) {
    /** What uses objects. */
    public enum What {
      POD("pod"),
      CLAIM("claim"),
      VOLUME("volume"),
      /** No object: its own phase says that it is in use. */
      PHASE("phase");

      private final String token;

      What(String token) {
        this.token = token;
      }

      /** A stable name, for programs too. */
      public String token() {
        return token;
      }
    }
  }
}
