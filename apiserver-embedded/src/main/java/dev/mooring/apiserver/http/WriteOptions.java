package dev.mooring.apiserver.http;

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
  static final String SETTLED = "\0settled";

  /** Without manager and propagation. */
  public WriteOptions(
      boolean dryRun,
      String subresource,
      @Nullable String uid,
      @Nullable String version,
      @Nullable Long graceSeconds,
      boolean patch) {
    this(dryRun, subresource, uid, version, graceSeconds, patch, "", Propagation.UNSAID);
  }

  /** The same as a patch. */
  public WriteOptions asPatch() {
    return new WriteOptions(
        dryRun, subresource, uid, version, graceSeconds, true, manager, propagation);
  }

  /** The same by that manager of fields. */
  WriteOptions by(String name) {
    return new WriteOptions(
        dryRun, subresource, uid, version, graceSeconds, patch, name, propagation);
  }

  /** The same deletion with that propagation. */
  WriteOptions spreading(Propagation how) {
    return new WriteOptions(dryRun, subresource, uid, version, graceSeconds, patch, manager, how);
  }

  /** An ordinary write. */
  public static final WriteOptions PLAIN = new WriteOptions(false, "", null, null, null, false);

  /** A write of the status. */
  public static final WriteOptions STATUS =
      new WriteOptions(false, "status", null, null, null, false);

  /** A deletion without grace. */
  public static final WriteOptions NOW = new WriteOptions(false, "", null, null, 0L, false);
}
