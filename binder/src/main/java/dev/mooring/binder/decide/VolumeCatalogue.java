package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import java.util.Iterator;
import java.util.Optional;

/**
 * The volumes that a claim can be given, at one moment: it must not change while a decision reads
 * it. An ordered index, so that a match among 100,000 volumes looks at a handful.
 */
public interface VolumeCatalogue {
  /**
   * Volumes that differ in nothing but size.
   *
   * @param className their class
   * @param mode Filesystem or Block
   * @param attributesClass their VolumeAttributesClass, "" for none
   * @param accessModes their access modes as a bit set
   */
  record Shelf(String className, VolumeMode mode, String attributesClass, int accessModes) {}

  /** The volume of that name, free or not. */
  Optional<Volume> find(String name);

  /** The volumes whose claimRef names that claim, whatever its uid, smallest first. */
  Iterable<Volume> reservedFor(ObjectKey claim);

  /** The shelf's free volumes of at least that size: smallest first, then oldest, then by name. */
  Iterator<Volume> free(Shelf shelf, Quantity atLeast);

  /** Whether other claims without a volume ask for something else, and would take this one's. */
  boolean isContested(Claim claim);

  /**
   * Of the volumes of {@link VolumeMatcher#inOrder} the first that leaves one to every other claim
   * that could have one; the first of all if there is none such.
   */
  Optional<Volume> spared(Claim claim);

  /** Some volumes of any kind, to say why none fits; not all of them if there are many. */
  Iterable<Volume> sample();
}
