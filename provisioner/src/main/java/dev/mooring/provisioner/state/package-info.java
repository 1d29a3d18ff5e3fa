/**
 * What provisioning remembers: calls in doubt, notes on claims, volumes that were never Bound.
 * Depends on core-api and the inputs of {@code decide}.
 */
@NullMarked
package dev.mooring.provisioner.state;

import org.jspecify.annotations.NullMarked;
