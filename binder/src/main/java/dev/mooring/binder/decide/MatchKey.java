package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a claim asks of a volume. Claims with equal keys have the same volumes to choose from.
 * Ordered, so that hash maps stay quick when somebody chooses sizes of one hash.
 *
 * @param className the class, "" for none
 * @param mode Filesystem or Block
 * @param attributesClass the VolumeAttributesClass, "" for none
 * @param accessModes the access modes that the volume must offer, as a bit set
 * @param request the least size
 * @param labels what its labels must be; null for anything
 */
public record MatchKey(
    String className,
    VolumeMode mode,
    String attributesClass,
    int accessModes,
    Quantity request,
    @Nullable LabelQuery labels)
    implements Comparable<MatchKey> {

  private static final Comparator<MatchKey> ORDER =
      Comparator.comparing(MatchKey::request)
          .thenComparing(MatchKey::accessModes)
          .thenComparing(MatchKey::labels, Comparator.nullsFirst(Comparator.naturalOrder()))
          .thenComparing(MatchKey::className)
          .thenComparing(MatchKey::mode)
          .thenComparing(MatchKey::attributesClass);

  /** What the claim asks for. Takes as long as its selector is large. */
  public static MatchKey of(MatchSubject subject) {
    Claim claim = subject.claim();
    return new MatchKey(
        claim.className(),
        claim.volumeMode(),
        claim.attributesClass(),
        claim.accessModes().mask(),
        claim.request(),
        claim.selector() == null ? null : LabelQuery.of(claim.selector()));
  }

  /**
   * Whether a volume of the same class, mode and attributes class has the size, the access modes
   * and the labels.
   */
  public boolean suits(Volume volume) {
    return VolumeTest.has(volume, request)
        && VolumeTest.offers(volume.accessModes().mask(), accessModes)
        && hasLabels(volume);
  }

  /**
   * Whether all that an index by class, mode, attributes class, access modes and size offers suits:
   * then nobody need remember what was looked at in vain.
   */
  public boolean suitsWhatIsIndexed() {
    return labels == null;
  }

  /** The same, with an equal query that others have too. */
  public MatchKey with(LabelQuery equal) {
    return new MatchKey(className, mode, attributesClass, accessModes, request, equal);
  }

  /** What is asked for besides size. */
  public MatchKey besidesSize() {
    return new MatchKey(className, mode, attributesClass, accessModes, Quantity.ZERO, labels);
  }

  /** How many steps a look at that volume takes. */
  public int steps(Volume volume) {
    return labels == null ? 1 : labels.steps(volume.meta().labels());
  }

  /** Whether the volume has the labels. */
  public boolean hasLabels(Volume volume) {
    return labels == null || labels.matches(volume.meta().labels());
  }

  /** The sets of access modes that offer what is asked for. */
  public List<Integer> offering() {
    return VolumeMatcher.offering(accessModes);
  }

  @Override
  public int compareTo(MatchKey other) {
    return ORDER.compare(this, other);
  }
}
