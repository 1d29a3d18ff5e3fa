/** Decisions about claims with data sources, as pure functions. */
@NullMarked
package dev.mooring.populator.decide;

import org.jspecify.annotations.NullMarked;
