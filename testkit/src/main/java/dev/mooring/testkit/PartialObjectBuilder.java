package dev.mooring.testkit;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;

/** Builder of an object with metadata only. */
public final class PartialObjectBuilder extends ObjectBuilder<PartialObject, PartialObjectBuilder> {
  PartialObjectBuilder(ObjectKey key) {
    super(key);
  }

  @Override
  public PartialObject build() {
    return new PartialObject(meta());
  }
}
