package dev.mooring.binder.decide;

import dev.mooring.binder.decide.ClaimView.Provisioning;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import java.util.List;
import java.util.Optional;

/**
 * A storage class with what shows whether volumes of it can be made.
 *
 * @param storageClass the class
 * @param provisioning who makes its volumes
 * @param driver the CSIDriver of that name, if there is one
 * @param nodesWithDriver on how many nodes the driver runs
 * @param nodes how many nodes there are
 * @param lease how the lease of its provisioner is
 * @param room what the driver tells of its room
 */
public record ClassView(
    StorageClass storageClass,
    Provisioning provisioning,
    Optional<CsiDriver> driver,
    int nodesWithDriver,
    int nodes,
    LeaseState lease,
    List<StorageCapacity> room) {

  /** How a provisioner's lease is. */
  public enum LeaseState {
    /** There is none: not every provisioner has one. */
    NONE,
    /** Somebody holds it. */
    HELD,
    /** Nobody holds it, or whoever does has not renewed it in time. */
    ENDED
  }

  /** Copies the list. */
  public ClassView {
    room = List.copyOf(room);
  }

  /** Whether volumes of the class are made by hand. */
  public boolean isByHand() {
    return storageClass.provisioner().equals(Marks.NO_PROVISIONER);
  }

  /** Whether the scheduler looks at how much room there is. */
  public boolean needsRoom() {
    return driver.filter(CsiDriver::storageCapacity).isPresent()
        && storageClass.binding() == StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER;
  }

  /** How the class stands; empty if the name of its provisioner says that there can be none. */
  public Optional<ClassStanding> standing() {
    if (isByHand()) {
      return Optional.of(ClassStanding.MADE_BY_HAND);
    }
    return switch (provisioning) {
      case Provisioning.ByPlugin _ -> Optional.of(ClassStanding.CLASS_SERVED);
      case Provisioning.ByNobody _ -> Optional.empty();
      case Provisioning.ByOthers _ -> Optional.of(byOthers());
    };
  }

  private ClassStanding byOthers() {
    if (lease == LeaseState.ENDED) {
      return ClassStanding.PROVISIONER_STOPPED;
    }
    if (driver.isEmpty() && nodesWithDriver == 0 && lease == LeaseState.NONE) {
      return ClassStanding.PROVISIONER_NOT_SEEN;
    }
    if (driver.isPresent() && nodesWithDriver == 0 && nodes > 0) {
      return ClassStanding.DRIVER_ON_NO_NODE;
    }
    if (!needsRoom()) {
      return ClassStanding.CLASS_SERVED;
    }
    if (room.isEmpty()) {
      return ClassStanding.CAPACITY_NOT_TOLD;
    }
    return room.stream().anyMatch(ClassView::hasRoom)
        ? ClassStanding.CLASS_SERVED
        : ClassStanding.CLASS_WITHOUT_ROOM;
  }

  private static boolean hasRoom(StorageCapacity told) {
    Quantity most = told.maximumVolumeSize() != null ? told.maximumVolumeSize() : told.capacity();
    return most != null && most.compareTo(Quantity.ZERO) > 0;
  }
}
