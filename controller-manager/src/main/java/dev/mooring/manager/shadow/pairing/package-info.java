/**
 * Pairs writes that Mooring's controllers intend with changes that the cluster's own controllers
 * make. Pure: the caller passes times, and no class does I/O.
 */
@NullMarked
package dev.mooring.manager.shadow.pairing;

import org.jspecify.annotations.NullMarked;
