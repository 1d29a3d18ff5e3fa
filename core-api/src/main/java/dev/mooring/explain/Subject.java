package dev.mooring.explain;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;

/**
 * What is explained.
 *
 * @param kind its kind
 * @param key its namespace and name
 */
public record Subject(Kind<?> kind, ObjectKey key) {
  @Override
  public String toString() {
    return kind + " " + key;
  }
}
