/**
 * The objects of the cluster as the controllers see them: immutable records, trimmed to the fields
 * that a decision can depend on.
 *
 * <p>May depend on the JDK only. Absent is {@code null} or an empty collection as each component
 * says; what Kubernetes defaults is defaulted by the decoder, so that no decision asks "nil or
 * Filesystem?". Nothing here is ever sent back whole: writes are patches ({@code
 * dev.mooring.cluster}), because a trimmed record has lost the fields that we do not know.
 */
@NullMarked
package dev.mooring.model;

import org.jspecify.annotations.NullMarked;
