package dev.mooring.live;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.List;

/**
 * Live read that a decision asks for.
 *
 * @param <T> type of the answer
 */
public sealed interface Question<T> {
  Kind<?> kind();

  record ObjectRead<T extends Resource>(Kind<T> kind, ObjectKey key) implements Question<T> {
    @Override
    public String toString() {
      return kind + " " + key;
    }
  }

  /** Reads all objects of a kind in one namespace. The answer is never {@link Fact.Absent}. */
  record NamespaceList<T extends Resource>(Kind<T> kind, String namespace)
      implements Question<List<T>> {
    @Override
    public String toString() {
      return kind.plural() + " of namespace " + namespace;
    }
  }
}
