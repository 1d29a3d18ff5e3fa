/**
 * The objects: frozen trees with their encoded bytes, one ordered map and one ring of events per
 * resource, one version counter for all.
 */
@NullMarked
package dev.mooring.apiserver.store;

import org.jspecify.annotations.NullMarked;
