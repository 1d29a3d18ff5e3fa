package dev.mooring.testkit;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumePopulator;

/** Builder of a VolumePopulator. Default: no kind. */
public final class VolumePopulatorBuilder
    extends ObjectBuilder<VolumePopulator, VolumePopulatorBuilder> {
  private String sourceGroup = "";
  private String sourceKind = "";

  VolumePopulatorBuilder(ObjectKey key) {
    super(key);
  }

  public VolumePopulatorBuilder sourceGroup(String value) {
    this.sourceGroup = value;
    return this;
  }

  public VolumePopulatorBuilder sourceKind(String value) {
    this.sourceKind = value;
    return this;
  }

  @Override
  public VolumePopulator build() {
    return new VolumePopulator(meta(), sourceGroup, sourceKind);
  }
}
