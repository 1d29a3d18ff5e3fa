/**
 * Views of the binder: informers become views, changes become keys, and {@link
 * dev.mooring.binder.observe.VolumeReservations} reserves volumes for claims. Depends on core-api
 * and the inputs of {@code decide}.
 */
@NullMarked
package dev.mooring.binder.observe;

import org.jspecify.annotations.NullMarked;
