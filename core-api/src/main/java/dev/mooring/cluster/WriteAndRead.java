package dev.mooring.cluster;

import java.util.Optional;

/**
 * How a write ended, and the object as a live read would have found it just then.
 *
 * @param result how it ended
 * @param read the object with all its labels and annotations ({@link LiveReader#read}); empty if it
 *     was not written, or if what is written through cannot tell: then it has to be read
 * @param <T> the object written
 */
public record WriteAndRead<T>(WriteResult<T> result, Optional<T> read) {}
