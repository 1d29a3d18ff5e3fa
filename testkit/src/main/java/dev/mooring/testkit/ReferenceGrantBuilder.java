package dev.mooring.testkit;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReferenceGrant;
import java.util.List;

/** Builder of a ReferenceGrant. Default: no grants. */
public final class ReferenceGrantBuilder
    extends ObjectBuilder<ReferenceGrant, ReferenceGrantBuilder> {
  private List<ReferenceGrant.From> from = List.of();
  private List<ReferenceGrant.To> to = List.of();

  ReferenceGrantBuilder(ObjectKey key) {
    super(key);
  }

  public ReferenceGrantBuilder from(List<ReferenceGrant.From> value) {
    this.from = value;
    return this;
  }

  public ReferenceGrantBuilder to(List<ReferenceGrant.To> value) {
    this.to = value;
    return this;
  }

  @Override
  public ReferenceGrant build() {
    return new ReferenceGrant(meta(), from, to);
  }
}
