/**
 * Objects of the cluster: immutable records with only the fields that decisions use.
 *
 * <p>May depend on the JDK only. An absent field is {@code null} or an empty collection, as
 * documented per component. The decoder applies Kubernetes' defaults, so decisions need not handle
 * absent values that have a default. Records are never written back: writes are patches ({@code
 * dev.mooring.cluster}), because records omit unknown fields.
 */
@NullMarked
package dev.mooring.model;

import org.jspecify.annotations.NullMarked;
