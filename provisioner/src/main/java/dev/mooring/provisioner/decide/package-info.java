/** Whose turn it is, decided from objects alone. */
@NullMarked
package dev.mooring.provisioner.decide;

import org.jspecify.annotations.NullMarked;
