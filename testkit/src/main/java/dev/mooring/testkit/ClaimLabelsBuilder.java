package dev.mooring.testkit;

import dev.mooring.model.ClaimLabels;
import dev.mooring.model.ObjectKey;

/** Builder of a claim's labels. Default: none. */
public final class ClaimLabelsBuilder extends ObjectBuilder<ClaimLabels, ClaimLabelsBuilder> {

  ClaimLabelsBuilder(ObjectKey key) {
    super(key);
  }

  @Override
  public ClaimLabels build() {
    return new ClaimLabels(meta());
  }
}
