package dev.mooring.storage;

/**
 * What may hold or delay the destruction of storage.
 *
 * @param breaker holds all destructions
 * @param delay delays each destruction
 */
public record DeletionGuards(DeletionBreaker breaker, DeletionDelay delay) {}
