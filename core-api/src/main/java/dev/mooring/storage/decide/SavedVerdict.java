package dev.mooring.storage.decide;

import dev.mooring.model.ClaimRef;
import dev.mooring.model.Volume;

/** Existence of the object of a claim's provisioned volume. */
public sealed interface SavedVerdict {
  record NotThere() implements SavedVerdict {}

  record Saved() implements SavedVerdict {}

  record NameTaken(Volume holder) implements SavedVerdict {
    public String describe(String namespace) {
      return "volume \""
          + holder.meta().name()
          + "\" exists already and is "
          + describeOwner(namespace);
    }

    private String describeOwner(String namespace) {
      ClaimRef ref = holder.claimRef();
      if (ref == null || ref.isEmpty()) {
        return "no claim's";
      }
      return ref.isIn(namespace)
          ? "claim \"" + ref.claim() + "\"'s"
          : "that of a claim of another namespace";
    }
  }

  /**
   * Describes a volume that has the name of a claim's volume, for an event of the claim.
   *
   * @param namespace the claim's namespace; claims of other namespaces are not named
   */
  static String describeNameTaken(Volume holder, String namespace) {
    return new NameTaken(holder).describe(namespace);
  }

  /** The read failed; the object may exist. Nothing may be provisioned or deleted. */
  record Unknown(String reason) implements SavedVerdict {}
}
