/**
 * Decisions about which component expands a claim's volume, from the claim and its volume alone.
 */
@NullMarked
package dev.mooring.expander.decide;

import org.jspecify.annotations.NullMarked;
