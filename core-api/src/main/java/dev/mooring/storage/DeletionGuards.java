package dev.mooring.storage;

/**
 * Circuit breaker and delay of the destruction of storage.
 *
 * @param breaker holds all destructions
 * @param delay delays each destruction
 */
public record DeletionGuards(DeletionBreaker breaker, DeletionDelay delay) {}
