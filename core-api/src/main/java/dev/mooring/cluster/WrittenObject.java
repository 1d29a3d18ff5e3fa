package dev.mooring.cluster;

import java.util.Optional;

/**
 * Result of a write, with the object as a live read would have returned it.
 *
 * @param read object with all labels and annotations ({@link LiveReader#read}); empty if nothing
 *     was written or the writer does not support this, so the caller has to read
 * @param <T> type of the object
 */
public record WrittenObject<T>(WriteResult<T> result, Optional<T> read) {}
