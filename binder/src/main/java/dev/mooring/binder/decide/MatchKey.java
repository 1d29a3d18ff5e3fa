package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requirements of a claim on a volume. Claims with equal keys compete for the same volumes.
 * Comparable, so that hash maps stay fast if a user chooses sizes with colliding hashes.
 *
 * @param className the class; "" if it has none
 * @param attributesClass the VolumeAttributesClass; "" if it has none
 * @param accessModes required access modes, as a bit set
 * @param request minimum size
 * @param labels required labels; null if there are none
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

  public boolean suits(Volume volume) {
    return VolumeCriterion.isLargeEnough(volume, request)
        && VolumeCriterion.offers(volume.accessModes().mask(), accessModes)
        && hasLabels(volume);
  }

  /**
   * Returns whether every volume that the index offers suits: then no search has to remember
   * rejected volumes.
   */
  public boolean suitsAllIndexedVolumes() {
    return labels == null;
  }

  public MatchKey withLabels(LabelQuery sharedQuery) {
    return new MatchKey(className, mode, attributesClass, accessModes, request, sharedQuery);
  }

  public MatchKey withoutSize() {
    return new MatchKey(className, mode, attributesClass, accessModes, Quantity.ZERO, labels);
  }

  public int stepsFor(Volume volume) {
    return labels == null ? 1 : labels.stepsFor(volume.meta().labels());
  }

  public boolean hasLabels(Volume volume) {
    return labels == null || labels.matches(volume.meta().labels());
  }

  public List<Integer> offeringModeSets() {
    return VolumeMatcher.offeringModeSets(accessModes);
  }

  @Override
  public int compareTo(MatchKey other) {
    return ORDER.compare(this, other);
  }
}
