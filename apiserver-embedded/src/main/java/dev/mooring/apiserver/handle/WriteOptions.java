package dev.mooring.apiserver.handle;

import org.jspecify.annotations.Nullable;

/**
 * How a write is to be done.
 *
 * @param dryRun answers as if done, changes nothing
 * @param subresource "", status or finalize
 * @param uid precondition, null for none
 * @param version precondition, null for none
 * @param graceSeconds a deletion's grace, null for the object's own
 * @param patch whether it is a patch: what it says of immutable metadata is then meant
 * @param manager whose fields it writes; "" keeps managedFields as they are
 * @param propagation what a deletion does about those that the object owns
 */
public record WriteOptions(
    boolean dryRun,
    String subresource,
    @Nullable String uid,
    @Nullable String version,
    @Nullable Long graceSeconds,
    boolean patch,
    String manager,
    Propagation propagation) {
  /** What a deletion does about those that the object owns. */
  public enum Propagation {
    /** What is usual for the kind. */
    UNSAID,
    /** They go after it, or nobody looks. */
    BACKGROUND,
    /** It goes after them. */
    FOREGROUND,
    /** They stay. */
    ORPHAN
  }

  /** The manager of writes whose managedFields are settled already. */
  public static final String SETTLED = "\0settled";

  /** An ordinary write. */
  public static final WriteOptions PLAIN =
      new WriteOptions(false, "", null, null, null, false, "", Propagation.UNSAID);

  /** A write of the status. */
  public static final WriteOptions STATUS = PLAIN.ofSubresource("status");

  /** A deletion without grace. */
  public static final WriteOptions NOW = PLAIN.within(0L);

  /** The same, or as if it were done. */
  public WriteOptions dry(boolean onlyAsIf) {
    return new WriteOptions(
        onlyAsIf, subresource, uid, version, graceSeconds, patch, manager, propagation);
  }

  /** The same of that subresource. */
  public WriteOptions ofSubresource(String part) {
    return new WriteOptions(dryRun, part, uid, version, graceSeconds, patch, manager, propagation);
  }

  /** The same of that object in that version only; null for any. */
  public WriteOptions onlyIf(@Nullable String thatUid, @Nullable String thatVersion) {
    return new WriteOptions(
        dryRun, subresource, thatUid, thatVersion, graceSeconds, patch, manager, propagation);
  }

  /** The same deletion with that grace; null for the object's own. */
  public WriteOptions within(@Nullable Long seconds) {
    return new WriteOptions(
        dryRun, subresource, uid, version, seconds, patch, manager, propagation);
  }

  /** The same as a patch. */
  public WriteOptions asPatch() {
    return new WriteOptions(
        dryRun, subresource, uid, version, graceSeconds, true, manager, propagation);
  }

  /** The same by that manager of fields. */
  public WriteOptions by(String name) {
    return new WriteOptions(
        dryRun, subresource, uid, version, graceSeconds, patch, name, propagation);
  }

  /** The same deletion with that propagation. */
  public WriteOptions spreading(Propagation how) {
    return new WriteOptions(dryRun, subresource, uid, version, graceSeconds, patch, manager, how);
  }
}
