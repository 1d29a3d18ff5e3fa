/**
 * Decisions about provisioned volumes that several controllers share; pure functions. May depend on
 * {@code model} and {@code live}.
 */
@NullMarked
package dev.mooring.storage.decide;

import org.jspecify.annotations.NullMarked;
