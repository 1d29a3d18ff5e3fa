package dev.mooring.model;

/**
 * Any object of which nothing but its metadata is kept, as in Kubernetes' PartialObjectMetadata:
 * enough to put finalizers on it and to take them off. Its labels and annotations are there only
 * where it was read live.
 *
 * @param meta name, version and finalizers
 */
public record PartialObject(Meta meta) implements Resource {}
