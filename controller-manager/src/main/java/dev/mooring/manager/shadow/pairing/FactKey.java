package dev.mooring.manager.shadow.pairing;

import dev.mooring.model.ObjectKey;

/**
 * Name of a fact about an object.
 *
 * @param kind kind of the object
 * @param property path of a field, or a name of {@link ObjectFacts}
 */
public record FactKey(String kind, ObjectKey object, String property)
    implements Comparable<FactKey> {
  @Override
  public int compareTo(FactKey other) {
    int byKind = kind.compareTo(other.kind);
    int byObject = byKind != 0 ? byKind : object.compareTo(other.object);
    return byObject != 0 ? byObject : property.compareTo(other.property);
  }

  public String subject() {
    return kind + " " + object;
  }

  @Override
  public String toString() {
    return subject() + " " + property;
  }
}
