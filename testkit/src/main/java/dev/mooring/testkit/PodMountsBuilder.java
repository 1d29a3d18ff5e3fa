package dev.mooring.testkit;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.PodMounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builder of a Pod's mounts and SELinux labels. Default: none. */
public final class PodMountsBuilder extends ObjectBuilder<PodMounts, PodMountsBuilder> {
  private Pod.Phase phase = Pod.Phase.PENDING;
  private String changePolicy = "";
  private PodMounts.@Nullable SeLinuxOptions label = null;
  private List<PodMounts.PodVolume> volumes = List.of();
  private List<PodMounts.Container> containers = List.of();

  PodMountsBuilder(ObjectKey key) {
    super(key);
  }

  public PodMountsBuilder phase(Pod.Phase value) {
    this.phase = value;
    return this;
  }

  public PodMountsBuilder changePolicy(String value) {
    this.changePolicy = value;
    return this;
  }

  public PodMountsBuilder label(PodMounts.@Nullable SeLinuxOptions value) {
    this.label = value;
    return this;
  }

  public PodMountsBuilder volumes(List<PodMounts.PodVolume> value) {
    this.volumes = value;
    return this;
  }

  public PodMountsBuilder containers(List<PodMounts.Container> value) {
    this.containers = value;
    return this;
  }

  @Override
  public PodMounts build() {
    return new PodMounts(meta(), phase, changePolicy, label, volumes, containers);
  }
}
