/** Checks of a cluster that need no controller: they read, compare and name remedies. */
@NullMarked
package dev.mooring.manager.doctor;

import org.jspecify.annotations.NullMarked;
