package dev.mooring.attachdetach.decide;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Chooses the PersistentVolume that an attach names, if several pods on one node address one
 * storage volume in different ways. Pure.
 */
public final class TargetChoice {
  private TargetChoice() {}

  /**
   * Chooses an existing PersistentVolume first, then an inline volume, then a PersistentVolume that
   * is gone. The result is exclusive if any target is exclusive.
   *
   * @param uses pods on the node that use the volume, oldest first
   * @param isCurrent whether a target's PersistentVolume exists and still addresses the volume
   * @return empty if there is no use
   */
  public static Optional<AttachTarget> choose(
      List<VolumeUse> uses, Predicate<AttachTarget> isCurrent) {
    boolean exclusive = uses.stream().anyMatch(use -> use.target().exclusive());
    return uses.stream()
        .map(VolumeUse::target)
        .min(
            Comparator.<AttachTarget, Boolean>comparing(target -> !isCurrent.test(target))
                .thenComparing(AttachTarget::isInline))
        .map(target -> target.withExclusive(exclusive));
  }
}
