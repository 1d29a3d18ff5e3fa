package dev.mooring.testkit;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReferenceGrant;
import java.util.List;

/** A ReferenceGrant: grants nothing, unless said otherwise. */
public final class ReferenceGrantBuilder
    extends ObjectBuilder<ReferenceGrant, ReferenceGrantBuilder> {
  private List<ReferenceGrant.From> from = List.of();
  private List<ReferenceGrant.To> to = List.of();

  ReferenceGrantBuilder(ObjectKey key) {
    super(key);
  }

  ReferenceGrantBuilder(ReferenceGrant from) {
    super(from.meta());
    this.from = from.from();
    this.to = from.to();
  }

  /** Sets {@code from}. */
  public ReferenceGrantBuilder from(List<ReferenceGrant.From> value) {
    this.from = value;
    return this;
  }

  /** Sets {@code to}. */
  public ReferenceGrantBuilder to(List<ReferenceGrant.To> value) {
    this.to = value;
    return this;
  }

  @Override
  ReferenceGrantBuilder self() {
    return this;
  }

  @Override
  public ReferenceGrant build() {
    return new ReferenceGrant(meta(), from, to);
  }
}
