package dev.mooring.live;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.List;
import java.util.function.Function;

/**
 * Result of a decider: a decision, or the questions that it needs answered first. {@code
 * LiveDecisions} reads the answers from the API server and calls the decider again, so that an
 * executor sees decisions only.
 *
 * @param <D> type of the decisions
 */
public sealed interface Step<D> {
  record Decided<D>(D decision) implements Step<D> {}

  /**
   * @param questions at least one, none of them answered before
   */
  record Ask<D>(List<Question<?>> questions) implements Step<D> {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  static <D> Step<D> decided(D decision) {
    return new Decided<>(decision);
  }

  static <D> Step<D> ask(Question<?>... questions) {
    return new Ask<>(List.of(questions));
  }

  static <D> Step<D> ask(Kind<? extends Resource> kind, ObjectKey key) {
    return ask(new Question.ObjectRead<>(kind, key));
  }

  /** Continues with the decision; questions stay as they are. */
  default <E> Step<E> flatMap(Function<D, Step<E>> continuation) {
    return switch (this) {
      case Decided<D>(D decision) -> continuation.apply(decision);
      case Ask<D>(List<Question<?>> questions) -> new Ask<>(questions);
    };
  }

  /** Converts the decision; questions stay as they are. */
  default <E> Step<E> map(Function<D, E> conversion) {
    return flatMap(decision -> decided(conversion.apply(decision)));
  }
}
