/**
 * The objects: immutable trees with their encoded bytes, one ordered map and one event ring per
 * resource, and one version counter for all.
 */
@NullMarked
package dev.mooring.apiserver.store;

import org.jspecify.annotations.NullMarked;
