package dev.mooring.testkit;

import dev.mooring.model.CsiDriver;
import dev.mooring.model.ObjectKey;

/** Builder of a CSIDriver. Default: attachment required. */
public final class CsiDriverBuilder extends ObjectBuilder<CsiDriver, CsiDriverBuilder> {
  private boolean attachRequired = true;
  private boolean storageCapacity = false;
  private boolean seLinuxMount = false;

  CsiDriverBuilder(ObjectKey key) {
    super(key);
  }

  public CsiDriverBuilder attachRequired(boolean value) {
    this.attachRequired = value;
    return this;
  }

  public CsiDriverBuilder storageCapacity(boolean value) {
    this.storageCapacity = value;
    return this;
  }

  public CsiDriverBuilder seLinuxMount(boolean value) {
    this.seLinuxMount = value;
    return this;
  }

  @Override
  public CsiDriver build() {
    return new CsiDriver(meta(), attachRequired, storageCapacity, seLinuxMount);
  }
}
