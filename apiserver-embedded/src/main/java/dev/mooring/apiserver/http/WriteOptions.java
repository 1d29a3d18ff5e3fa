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
 */
public record WriteOptions(
    boolean dryRun,
    String subresource,
    @Nullable String uid,
    @Nullable String version,
    @Nullable Long graceSeconds,
    boolean patch) {
  /** The same as a patch. */
  public WriteOptions asPatch() {
    return new WriteOptions(dryRun, subresource, uid, version, graceSeconds, true);
  }

  /** An ordinary write. */
  public static final WriteOptions PLAIN = new WriteOptions(false, "", null, null, null, false);

  /** A write of the status. */
  public static final WriteOptions STATUS =
      new WriteOptions(false, "status", null, null, null, false);

  /** A deletion without grace. */
  public static final WriteOptions NOW = new WriteOptions(false, "", null, null, 0L, false);
}
