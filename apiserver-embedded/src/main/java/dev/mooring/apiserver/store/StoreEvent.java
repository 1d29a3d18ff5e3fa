package dev.mooring.apiserver.store;

import org.jspecify.annotations.Nullable;

/**
 * What one write did.
 *
 * @param version the version that it made
 * @param before the object before it; null if it created the object
 * @param after the object after it; null if it deleted the object
 * @param last the deleted object carrying the deletion's version; null unless it was deleted
 */
public record StoreEvent(
    long version, @Nullable Stored before, @Nullable Stored after, @Nullable Stored last) {}
