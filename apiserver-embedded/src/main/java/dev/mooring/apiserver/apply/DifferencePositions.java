package dev.mooring.apiserver.apply;

import org.jspecify.annotations.Nullable;

/**
 * The current position in the three sets of a {@link ShapedValues.ValueDifference}. A set gets its
 * node only when a path is added.
 */
final class DifferencePositions {
  private final @Nullable DifferencePositions parent;
  private final String element;
  private @Nullable FieldSet removed;
  private @Nullable FieldSet modified;
  private @Nullable FieldSet added;

  DifferencePositions(FieldSet removed, FieldSet modified, FieldSet added) {
    this.parent = null;
    this.element = "";
    this.removed = removed;
    this.modified = modified;
    this.added = added;
  }

  DifferencePositions(DifferencePositions parent, String element) {
    this.parent = parent;
    this.element = element;
  }

  FieldSet getOrAddRemoved() {
    if (removed == null) {
      removed = parent == null ? new FieldSet() : parent.getOrAddRemoved().getOrAddChild(element);
    }
    return removed;
  }

  FieldSet getOrAddModified() {
    if (modified == null) {
      modified = parent == null ? new FieldSet() : parent.getOrAddModified().getOrAddChild(element);
    }
    return modified;
  }

  FieldSet getOrAddAdded() {
    if (added == null) {
      added = parent == null ? new FieldSet() : parent.getOrAddAdded().getOrAddChild(element);
    }
    return added;
  }
}
