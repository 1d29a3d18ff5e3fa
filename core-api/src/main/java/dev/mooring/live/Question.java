package dev.mooring.live;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.List;

/**
 * One thing to ask the server.
 *
 * @param <T> what the answer holds
 */
public sealed interface Question<T> {
  /** What kind is asked for. */
  Kind<?> kind();

  /**
   * One object, by its name.
   *
   * @param kind its kind
   * @param key its namespace and name
   */
  record One<T extends Resource>(Kind<T> kind, ObjectKey key) implements Question<T> {
    @Override
    public String toString() {
      return kind + " " + key;
    }
  }

  /**
   * Every object of a kind in one namespace; the answer is never {@link Fact.Absent}.
   *
   * @param kind their kind
   * @param namespace where they are
   */
  record All<T extends Resource>(Kind<T> kind, String namespace) implements Question<List<T>> {
    @Override
    public String toString() {
      return kind.plural() + " of namespace " + namespace;
    }
  }
}
