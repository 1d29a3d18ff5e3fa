package dev.mooring.apiserver.store;

import org.jspecify.annotations.Nullable;

/**
 * The effect of one write.
 *
 * @param before the object before the write; null for a creation
 * @param after the object after the write; null for a deletion
 * @param last the deleted object with the deletion's version; null unless it was deleted
 */
public record StoreEvent(
    long version,
    @Nullable StoredObject before,
    @Nullable StoredObject after,
    @Nullable StoredObject last) {}
