package dev.mooring.provisioner.decide;

import dev.mooring.model.Claim;
import dev.mooring.storage.VolumeService;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Note on a claim that a volume may be under creation: a finalizer, and an annotation that lists
 * the provisioners whose storage may have been called. A user may have removed the annotation.
 *
 * @param provisioners sorted names; empty without a note or without the annotation
 */
public record ClaimNote(boolean isPresent, Set<String> provisioners) {
  private static final String SEPARATOR = ",";

  public static ClaimNote of(Claim claim) {
    Set<String> provisioners = new TreeSet<>();
    boolean isPresent = ClaimRules.isBeingMade(claim);
    String annotation = claim.meta().annotation(VolumeService.BEING_MADE_BY);
    if (isPresent && !annotation.isEmpty()) { // without the finalizer, the annotation is a leftover
      Collections.addAll(provisioners, annotation.split(SEPARATOR));
    }
    return new ClaimNote(isPresent, provisioners);
  }

  /** Returns true if it lists one of the names, or none. */
  public boolean isOwnedBy(Set<String> names) {
    return isPresent && (provisioners.isEmpty() || !Collections.disjoint(provisioners, names));
  }

  public ClaimNote withProvisioners(Set<String> names) {
    Set<String> union = new TreeSet<>(provisioners);
    union.addAll(names);
    return new ClaimNote(true, union);
  }

  /** Returns the note without these provisioners; it is absent if no other remains. */
  public ClaimNote withoutProvisioners(Set<String> names) {
    Set<String> remaining = new TreeSet<>(provisioners);
    remaining.removeAll(names);
    return new ClaimNote(!remaining.isEmpty(), remaining);
  }

  public String annotationValue() {
    return String.join(SEPARATOR, provisioners);
  }
}
