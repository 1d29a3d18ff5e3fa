/**
 * What the binder knows: informers become views, changes become keys, and the {@link
 * dev.mooring.binder.observe.Reservations} hands volumes out. May see core-api and the inputs of
 * {@code decide}.
 */
@NullMarked
package dev.mooring.binder.observe;

import org.jspecify.annotations.NullMarked;
