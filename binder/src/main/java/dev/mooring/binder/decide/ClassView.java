package dev.mooring.binder.decide;

import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import java.util.List;
import java.util.Optional;

/**
 * Storage class with evidence whether volumes of it can be provisioned.
 *
 * @param driver the CSIDriver with the name of the provisioner, if it exists
 * @param nodesWithDriver number of nodes that run the driver
 * @param capacities capacity that the driver reports
 */
public record ClassView(
    StorageClass storageClass,
    Provisioning provisioning,
    Optional<CsiDriver> driver,
    int nodesWithDriver,
    int nodes,
    LeaseState lease,
    List<StorageCapacity> capacities) {

  public enum LeaseState {
    NONE,
    HELD,
    ENDED
  }

  public ClassView {
    capacities = List.copyOf(capacities);
  }

  public boolean isStatic() {
    return storageClass.provisioner().equals(BinderMarks.NO_PROVISIONER);
  }

  public boolean needsCapacity() {
    return driver.filter(CsiDriver::storageCapacity).isPresent()
        && storageClass.binding() == StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER;
  }

  public Reason reason() {
    if (isStatic()) {
      return Reason.CREATED_MANUALLY;
    }
    return switch (provisioning) {
      case Provisioning.ByPlugin _ -> Reason.CLASS_SERVED;
      case Provisioning.Unserved _ -> Reason.PROVISIONER_UNKNOWN;
      case Provisioning.ByOthers _ -> externalProvisionerReason();
    };
  }

  private Reason externalProvisionerReason() {
    if (lease == LeaseState.ENDED) {
      return Reason.PROVISIONER_STOPPED;
    }
    if (driver.isEmpty() && nodesWithDriver == 0 && lease == LeaseState.NONE) {
      return Reason.PROVISIONER_NOT_SEEN;
    }
    if (driver.isPresent() && nodesWithDriver == 0 && nodes > 0) {
      return Reason.DRIVER_ON_NO_NODE;
    }
    if (!needsCapacity()) {
      return Reason.CLASS_SERVED;
    }
    if (capacities.isEmpty()) {
      return Reason.CAPACITY_UNPUBLISHED;
    }
    return capacities.stream().anyMatch(ClassView::hasFreeCapacity)
        ? Reason.CLASS_SERVED
        : Reason.CLASS_WITHOUT_ROOM;
  }

  private static boolean hasFreeCapacity(StorageCapacity capacity) {
    Quantity maximumSize =
        capacity.maximumVolumeSize() != null ? capacity.maximumVolumeSize() : capacity.capacity();
    return maximumSize != null && maximumSize.compareTo(Quantity.ZERO) > 0;
  }
}
