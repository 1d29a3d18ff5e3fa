package dev.mooring.reference;

import com.google.protobuf.Timestamp;
import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.GetVolumeGroupSnapshotRequest;
import csi.v1.VolumeGroupSnapshot;
import io.grpc.Status;
import io.grpc.StatusException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Group snapshots. Members are snapshots named {@code group/volume} that record their group. */
public final class GroupStore {
  private static final String ID = "group-of-";

  private final SnapshotStore snapshots;
  private final Set<String> createdIds = new TreeSet<>();
  private final List<String> offences = new ArrayList<>();

  GroupStore(SnapshotStore snapshots) {
    this.snapshots = snapshots;
  }

  /** Returns the names of all groups ever created. */
  public synchronized Set<String> createdIds() {
    return new TreeSet<>(createdIds);
  }

  /** Returns calls that no correct caller makes. */
  public synchronized List<String> offences() {
    return List.copyOf(offences);
  }

  /** Returns the members of the group. */
  public synchronized List<SnapshotStore.Cut> of(String name) {
    return snapshots.listSnapshots().stream().filter(cut -> cut.group().equals(ID + name)).toList();
  }

  /** Creates a group without a CSI call. */
  public synchronized String add(String name, List<String> volumes) {
    createdIds.add(name);
    for (String volume : volumes) {
      snapshots.add(name + "/" + volume, volume, 1 << 20, "", ID + name);
    }
    return ID + name;
  }

  synchronized VolumeGroupSnapshot create(
      CreateVolumeGroupSnapshotRequest request, VolumeStore store) throws StatusException {
    Set<String> volumes = new TreeSet<>(request.getSourceVolumeIdsList());
    if (of(request.getName()).isEmpty()) {
      createdIds.add(request.getName());
      String parameters = new TreeMap<>(request.getParametersMap()).toString();
      for (String volume : volumes) {
        snapshots.add(
            request.getName() + "/" + volume,
            volume,
            store.get(volume).orElseThrow().bytes(),
            parameters,
            ID + request.getName());
      }
    } else if (!volumes(request.getName()).equals(volumes)) {
      throw Status.ALREADY_EXISTS
          .withDescription(request.getName() + " belongs to other volumes")
          .asException();
    }
    return message(ID + request.getName());
  }

  private Set<String> volumes(String name) {
    Set<String> cuts = new TreeSet<>();
    of(name).forEach(cut -> cuts.add(cut.volume()));
    return cuts;
  }

  synchronized void delete(DeleteVolumeGroupSnapshotRequest request) throws StatusException {
    List<SnapshotStore.Cut> cuts = cuts(request.getGroupSnapshotId());
    check(cuts, request.getSnapshotIdsList());
    cuts.forEach(cut -> snapshots.remove(cut.id()));
  }

  private List<SnapshotStore.Cut> cuts(String id) {
    return snapshots.listSnapshots().stream().filter(cut -> cut.group().equals(id)).toList();
  }

  private void check(List<SnapshotStore.Cut> cuts, List<String> namedIds) throws StatusException {
    Set<String> ids = new HashSet<>();
    cuts.forEach(cut -> ids.add(cut.id()));
    if (!cuts.isEmpty() && !ids.equals(Set.copyOf(namedIds))) {
      offences.add("named " + namedIds + " for " + ids);
      throw Status.INVALID_ARGUMENT.withDescription("not its members: " + namedIds).asException();
    }
  }

  synchronized VolumeGroupSnapshot get(GetVolumeGroupSnapshotRequest request)
      throws StatusException {
    List<SnapshotStore.Cut> cuts = cuts(request.getGroupSnapshotId());
    if (cuts.isEmpty()) {
      throw Status.NOT_FOUND
          .withDescription("no group " + request.getGroupSnapshotId())
          .asException();
    }
    check(cuts, request.getSnapshotIdsList());
    return message(request.getGroupSnapshotId());
  }

  private VolumeGroupSnapshot message(String id) {
    VolumeGroupSnapshot.Builder group =
        VolumeGroupSnapshot.newBuilder().setGroupSnapshotId(id).setReadyToUse(!snapshots.isSlow());
    for (SnapshotStore.Cut cut : cuts(id)) {
      group
          .setCreationTime(Timestamp.newBuilder().setSeconds(cut.seconds()))
          .addSnapshots(snapshots.message(cut));
    }
    return group.build();
  }
}
