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
    boolean present = ClaimRules.isBeingMade(claim);
    String written = claim.meta().annotation(VolumeService.BEING_MADE_BY);
    if (present && !written.isEmpty()) { // without the finalizer, the annotation is a leftover
      Collections.addAll(provisioners, written.split(SEPARATOR));
    }
    return new ClaimNote(present, provisioners);
  }

  /** Returns true if it lists one of the names, or none. */
  public boolean isOf(Set<String> names) {
    return isPresent && (provisioners.isEmpty() || !Collections.disjoint(provisioners, names));
  }

  public ClaimNote with(Set<String> names) {
    Set<String> more = new TreeSet<>(provisioners);
    more.addAll(names);
    return new ClaimNote(true, more);
  }

  /** Returns the note after these provisioners let go; it is absent if no other remains. */
  public ClaimNote without(Set<String> names) {
    Set<String> fewer = new TreeSet<>(provisioners);
    fewer.removeAll(names);
    return new ClaimNote(!fewer.isEmpty(), fewer);
  }

  public String written() {
    return String.join(SEPARATOR, provisioners);
  }
}
