package dev.mooring.apiserver.handle;

import dev.mooring.apiserver.webhook.RequestOrigin;
import org.jspecify.annotations.Nullable;

/**
 * Options of a write.
 *
 * @param dryRun true to validate and answer without storing
 * @param subresource "", status or finalize
 * @param uid the uid precondition; null for none
 * @param version the resourceVersion precondition; null for none
 * @param graceSeconds the grace period of a deletion in seconds; null for the object's own
 * @param isPatch true for a patch, whose changes of immutable metadata are errors instead of
 *     ignored
 * @param manager the field manager; "" keeps managedFields unchanged
 * @param propagation how a deletion treats dependents
 * @param origin who has sent the request; null for code in the process, which calls no webhooks
 */
public record WriteOptions(
    boolean dryRun,
    String subresource,
    @Nullable String uid,
    @Nullable String version,
    @Nullable Long graceSeconds,
    boolean isPatch,
    String manager,
    PropagationPolicy propagation,
    @Nullable RequestOrigin origin) {
  public enum PropagationPolicy {
    /** The kind's default. */
    DEFAULT,
    /** The garbage collector deletes dependents after the owner. */
    BACKGROUND,
    /** The garbage collector deletes dependents before the owner. */
    FOREGROUND,
    /** Dependents stay. */
    ORPHAN
  }

  /** The manager of writes whose managedFields are already computed. */
  public static final String OWNERSHIP_COMPUTED = "\0settled";

  public static final WriteOptions PLAIN =
      new WriteOptions(false, "", null, null, null, false, "", PropagationPolicy.DEFAULT, null);

  public static final WriteOptions STATUS = PLAIN.withSubresource("status");

  /** A deletion without grace period. */
  public static final WriteOptions NOW = PLAIN.withGracePeriod(0L);

  public WriteOptions withDryRun(boolean isDryRun) {
    return new WriteOptions(
        isDryRun, subresource, uid, version, graceSeconds, isPatch, manager, propagation, origin);
  }

  public WriteOptions withSubresource(String newSubresource) {
    return new WriteOptions(
        dryRun, newSubresource, uid, version, graceSeconds, isPatch, manager, propagation, origin);
  }

  /** Returns a copy with preconditions; null for none. */
  public WriteOptions withPreconditions(@Nullable String newUid, @Nullable String newVersion) {
    return new WriteOptions(
        dryRun,
        subresource,
        newUid,
        newVersion,
        graceSeconds,
        isPatch,
        manager,
        propagation,
        origin);
  }

  /** Returns a copy with a grace period in seconds; null for the object's own. */
  public WriteOptions withGracePeriod(@Nullable Long seconds) {
    return new WriteOptions(
        dryRun, subresource, uid, version, seconds, isPatch, manager, propagation, origin);
  }

  public WriteOptions asPatch() {
    return new WriteOptions(
        dryRun, subresource, uid, version, graceSeconds, true, manager, propagation, origin);
  }

  public WriteOptions withManager(String name) {
    return new WriteOptions(
        dryRun, subresource, uid, version, graceSeconds, isPatch, name, propagation, origin);
  }

  public WriteOptions withOrigin(@Nullable RequestOrigin newOrigin) {
    return new WriteOptions(
        dryRun, subresource, uid, version, graceSeconds, isPatch, manager, propagation, newOrigin);
  }

  public WriteOptions withPropagation(PropagationPolicy policy) {
    return new WriteOptions(
        dryRun, subresource, uid, version, graceSeconds, isPatch, manager, policy, origin);
  }
}
