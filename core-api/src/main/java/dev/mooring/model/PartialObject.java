package dev.mooring.model;

/**
 * Metadata of an object of any kind (Kubernetes' PartialObjectMetadata): sufficient to add and
 * remove finalizers. Labels and annotations are present only after a live read.
 *
 * @param meta name, version and finalizers
 */
public record PartialObject(Meta meta) implements Resource {}
