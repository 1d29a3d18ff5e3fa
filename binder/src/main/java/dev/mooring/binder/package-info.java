/**
 * The PersistentVolume controller: claims find volumes, volumes lose claims. This package wires;
 * {@code observe} knows, {@code decide} thinks, {@code execute} acts.
 */
@NullMarked
package dev.mooring.binder;

import org.jspecify.annotations.NullMarked;
