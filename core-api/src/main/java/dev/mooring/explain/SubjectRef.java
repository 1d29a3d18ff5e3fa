package dev.mooring.explain;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;

public record SubjectRef(Kind<?> kind, ObjectKey key) {
  @Override
  public String toString() {
    return kind + " " + key;
  }
}
