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
 * @param room capacity that the driver reports
 */
public record ClassView(
    StorageClass storageClass,
    Provisioning provisioning,
    Optional<CsiDriver> driver,
    int nodesWithDriver,
    int nodes,
    LeaseState lease,
    List<StorageCapacity> room) {

  public enum LeaseState {
    NONE,
    HELD,
    ENDED
  }

  public ClassView {
    room = List.copyOf(room);
  }

  public boolean isByHand() {
    return storageClass.provisioner().equals(BinderMarks.NO_PROVISIONER);
  }

  public boolean needsRoom() {
    return driver.filter(CsiDriver::storageCapacity).isPresent()
        && storageClass.binding() == StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER;
  }

  public Optional<ClassState> standing() {
    if (isByHand()) {
      return Optional.of(ClassState.MADE_BY_HAND);
    }
    return switch (provisioning) {
      case Provisioning.ByPlugin _ -> Optional.of(ClassState.CLASS_SERVED);
      case Provisioning.ByNobody _ -> Optional.empty();
      case Provisioning.ByOthers _ -> Optional.of(byOthers());
    };
  }

  private ClassState byOthers() {
    if (lease == LeaseState.ENDED) {
      return ClassState.PROVISIONER_STOPPED;
    }
    if (driver.isEmpty() && nodesWithDriver == 0 && lease == LeaseState.NONE) {
      return ClassState.PROVISIONER_NOT_SEEN;
    }
    if (driver.isPresent() && nodesWithDriver == 0 && nodes > 0) {
      return ClassState.DRIVER_ON_NO_NODE;
    }
    if (!needsRoom()) {
      return ClassState.CLASS_SERVED;
    }
    if (room.isEmpty()) {
      return ClassState.CAPACITY_NOT_TOLD;
    }
    return room.stream().anyMatch(ClassView::hasRoom)
        ? ClassState.CLASS_SERVED
        : ClassState.CLASS_WITHOUT_ROOM;
  }

  private static boolean hasRoom(StorageCapacity capacity) {
    Quantity most =
        capacity.maximumVolumeSize() != null ? capacity.maximumVolumeSize() : capacity.capacity();
    return most != null && most.compareTo(Quantity.ZERO) > 0;
  }
}
