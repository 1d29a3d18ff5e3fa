package dev.mooring.console.page;

import dev.mooring.console.view.ConsoleSection;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

final class ListColumns {
  record Column(String token, String title) {}

  private static final List<Column> GROUP_COLUMNS =
      List.of(new Column("ready", "Ready"), new Column("class", "Class"));

  private static final List<Column> SNAPSHOT_COLUMNS =
      List.of(
          new Column("ready", "Ready"),
          new Column("claim", "Claim"),
          new Column("class", "Class"),
          new Column("group", "Group"));

  private ListColumns() {}

  static List<Column> of(ConsoleSection section) {
    return switch (section) {
      case CLAIMS ->
          List.of(
              new Column("phase", "Phase"),
              new Column("size", "Size"),
              new Column("class", "Class"),
              new Column("volume", "Volume"));
      case VOLUMES ->
          List.of(
              new Column("phase", "Phase"),
              new Column("size", "Size"),
              new Column("class", "Class"),
              new Column("claim", "Claim"));
      case PODS ->
          List.of(
              new Column("phase", "Phase"),
              new Column("node", "Node"),
              new Column("claims", "Claims"));
      case CLASSES ->
          List.of(
              new Column("provisioner", "Provisioner"),
              new Column("binding", "Binding"),
              new Column("reclaimPolicy", "Reclaim"),
              new Column("default", "Default"));
      case ATTACHMENTS ->
          List.of(
              new Column("attached", "Attached"),
              new Column("volume", "Volume"),
              new Column("node", "Node"),
              new Column("driver", "Driver"));
      case NODES ->
          List.of(new Column("ready", "Ready"), new Column("attached", "Attached volumes"));
      case SNAPSHOTS -> SNAPSHOT_COLUMNS;
      case GROUPS -> GROUP_COLUMNS;
    };
  }

  static List<TableCell> cells(Resource object) {
    return switch (object) {
      case Claim claim ->
          List.of(
              TableCell.of(phaseText(object, claim.phase().toString())),
              TableCell.of(sizeText(claim)),
              TableCell.of(ConsoleSection.CLASSES, ObjectKey.cluster(claim.className())),
              TableCell.of(ConsoleSection.VOLUMES, ObjectKey.cluster(claim.volumeName())));
      case Volume volume ->
          List.of(
              TableCell.of(phaseText(object, volume.phase().toString())),
              TableCell.of(volume.storage()),
              TableCell.of(ConsoleSection.CLASSES, ObjectKey.cluster(volume.storageClass())),
              claimCell(volume));
      case Pod pod ->
          List.of(
              TableCell.of(phaseText(object, phaseText(pod.phase()))),
              TableCell.of(ConsoleSection.NODES, ObjectKey.cluster(pod.nodeName())),
              TableCell.of(String.join(", ", pod.claims())));
      case StorageClass storageClass ->
          List.of(
              TableCell.of(storageClass.provisioner()),
              TableCell.of(bindingText(storageClass.binding())),
              TableCell.of(storageClass.reclaimPolicy()),
              TableCell.of(storageClass.isDefault() ? "yes" : "no"));
      case Attachment attachment ->
          List.of(
              TableCell.of(attachment.attached() ? "yes" : "no"),
              TableCell.of(ConsoleSection.VOLUMES, ObjectKey.cluster(attachment.volumeName())),
              TableCell.of(ConsoleSection.NODES, ObjectKey.cluster(attachment.nodeName())),
              TableCell.of(attachment.attacher()));
      case Node node ->
          List.of(
              TableCell.of(node.ready() == null ? "Unknown" : node.ready()),
              TableCell.of(node.volumesAttached().size()));
      case VolumeSnapshot snapshot -> snapshotCells(snapshot);
      case GroupSnapshot group -> groupCells(group);
      default -> List.of();
    };
  }

  private static String bindingText(StorageClass.Binding binding) {
    return switch (binding) {
      case IMMEDIATE -> "Immediate";
      case WAIT_FOR_FIRST_CONSUMER -> "WaitForFirstConsumer";
      case UNSET -> "";
    };
  }

  private static List<TableCell> snapshotCells(VolumeSnapshot snapshot) {
    return List.of(
        TableCell.of(readyText(snapshot, snapshot.status().ready())),
        namespacedCell(ConsoleSection.CLAIMS, snapshot, snapshot.sourceClaim()),
        TableCell.of(snapshot.className()),
        namespacedCell(ConsoleSection.GROUPS, snapshot, snapshot.status().group()));
  }

  private static List<TableCell> groupCells(GroupSnapshot group) {
    return List.of(
        TableCell.of(readyText(group, group.status().ready())), TableCell.of(group.className()));
  }

  private static String readyText(Resource object, boolean isReady) {
    return object.meta().isBeingDeleted() ? "Terminating" : isReady ? "yes" : "no";
  }

  private static TableCell namespacedCell(ConsoleSection section, Resource object, String name) {
    return TableCell.of(section, ObjectKey.of(object.key().namespace(), name));
  }

  private static String phaseText(Resource object, String phase) {
    return object.meta().isBeingDeleted() ? "Terminating" : phase.isEmpty() ? "Pending" : phase;
  }

  private static String phaseText(Pod.Phase phase) {
    String name = phase.name();
    return phase == Pod.Phase.UNSET
        ? ""
        : name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }

  private static String sizeText(Claim claim) {
    String capacity = claim.status().storage().toString();
    String request = claim.request().toString();
    return capacity.equals("0") || capacity.equals(request) ? request : capacity + " of " + request;
  }

  private static TableCell claimCell(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null || ref.isEmpty()
        ? TableCell.of("")
        : new TableCell(ref.claim().toString(), ConsoleSection.CLAIMS.address(ref.claim()));
  }

  static String searchText(Resource object) {
    return object.key()
        + " "
        + cells(object).stream().map(TableCell::text).collect(Collectors.joining(" "));
  }
}
