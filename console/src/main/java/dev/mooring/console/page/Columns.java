package dev.mooring.console.page;

import dev.mooring.console.view.Section;
import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What lists show of each kind beside its name and why it waits: fields, as they stand. */
final class Columns {
  /**
   * A column.
   *
   * @param token its name in JSON
   * @param title its heading
   */
  record Column(String token, String title) {}

  private Columns() {}

  /** The columns of a section's list. */
  static List<Column> of(Section section) {
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
    };
  }

  /** What they hold for an object, in the same order. */
  static List<Cell> cells(Resource object) {
    return switch (object) {
      case Claim claim ->
          List.of(
              Cell.of(phase(object, claim.phase().toString())),
              Cell.of(size(claim)),
              Cell.of(Section.CLASSES, ObjectKey.cluster(claim.className())),
              Cell.of(Section.VOLUMES, ObjectKey.cluster(claim.volumeName())));
      case Volume volume ->
          List.of(
              Cell.of(phase(object, volume.phase().toString())),
              Cell.of(volume.storage()),
              Cell.of(Section.CLASSES, ObjectKey.cluster(volume.storageClass())),
              claim(volume));
      case Pod pod ->
          List.of(
              Cell.of(phase(object, word(pod.phase()))),
              Cell.of(Section.NODES, ObjectKey.cluster(pod.nodeName())),
              Cell.of(String.join(", ", pod.claims())));
      case StorageClass of ->
          List.of(
              Cell.of(of.provisioner()),
              Cell.of(word(of.binding())),
              Cell.of(of.reclaimPolicy()),
              Cell.of(of.isDefault() ? "yes" : "no"));
      case Attachment attachment ->
          List.of(
              Cell.of(attachment.attached() ? "yes" : "no"),
              Cell.of(Section.VOLUMES, ObjectKey.cluster(attachment.volumeName())),
              Cell.of(Section.NODES, ObjectKey.cluster(attachment.nodeName())),
              Cell.of(attachment.attacher()));
      case Node node ->
          List.of(
              Cell.of(node.ready() == null ? "Unknown" : node.ready()),
              Cell.of(node.volumesAttached().size()));
      default -> List.of();
    };
  }

  private static String word(StorageClass.Binding binding) {
    return switch (binding) {
      case IMMEDIATE -> "Immediate";
      case WAIT_FOR_FIRST_CONSUMER -> "WaitForFirstConsumer";
      case UNSET -> "";
    };
  }

  private static String phase(Resource object, String phase) {
    return object.meta().isBeingDeleted() ? "Terminating" : phase.isEmpty() ? "Pending" : phase;
  }

  private static String word(Pod.Phase phase) {
    String name = phase.name();
    return phase == Pod.Phase.UNSET
        ? ""
        : name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }

  private static String size(Claim claim) {
    String has = claim.status().storage().toString();
    String wants = claim.request().toString();
    return has.equals("0") || has.equals(wants) ? wants : has + " of " + wants;
  }

  private static Cell claim(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null || ref.isEmpty()
        ? Cell.of("")
        : new Cell(ref.claim().toString(), Section.CLAIMS.address(ref.claim()));
  }

  /** What a search looks at: the name, and the names that stand in the columns. */
  static String searched(Resource object) {
    return object.key()
        + " "
        + cells(object).stream().map(Cell::text).collect(Collectors.joining(" "));
  }
}
