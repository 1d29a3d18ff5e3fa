package dev.mooring.manager.uninstall;

import dev.mooring.csi.DriverExamination;
import dev.mooring.provisioner.ProvisionMarks;
import dev.mooring.storage.VolumeService;
import java.util.List;

/**
 * Everything that Mooring writes to objects under a name of its own: nobody else reads it or takes
 * it off. What it writes under Kubernetes' names is not here: others go on using that. The one list
 * that {@code uninstall} and docs/upgrade.md are made of.
 */
public enum OwnMark {
  /** On claims. */
  BEING_MADE(
      Place.FINALIZER,
      VolumeService.BEING_MADE,
      "nobody else takes it off, and as long as it is there the claim cannot go"),
  /** On volumes; it keeps data from being destroyed. */
  TAKEN_BY(
      Place.ANNOTATION,
      ProvisionMarks.TAKEN_BY,
      "it says that what the volume stands for does not go with the claim that has it"),
  /** On volumes of the NFS plugin, whose name for it this is. */
  NFS_ON_DELETE(
      Place.ANNOTATION,
      "mooring.dev/nfs-on-delete",
      "it says what becomes of the volume's directory, and whoever deletes it has to know"),
  /** On volumes that were found by {@code doctor --mend}. */
  ORPHAN(
      Place.LABEL,
      DriverExamination.ORPHAN,
      "people find volumes by it that a driver holds and no object named");

  /** What the names of all of them begin with; conditions of such a type are ours, too. */
  public static final String PREFIX = "mooring.dev/";

  /** Where it stands on an object. */
  public enum Place {
    FINALIZER("finalizer"),
    ANNOTATION("annotation"),
    LABEL("label"),
    CONDITION("condition");

    private final String text;

    Place(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private final Place place;
  private final String text;
  private final String meaning;

  OwnMark(Place place, String text, String meaning) {
    this.place = place;
    this.text = text;
    this.meaning = meaning;
  }

  /** Where it stands. */
  public Place place() {
    return place;
  }

  /** Its name. */
  public String text() {
    return text;
  }

  /** What it is for, as a clause. */
  public String meaning() {
    return meaning;
  }

  /** Those that stand on volumes. */
  static List<OwnMark> ofVolumes() {
    return List.of(TAKEN_BY, NFS_ON_DELETE, ORPHAN);
  }
}
