/** Explanations of claims that wait for a populator. */
@NullMarked
package dev.mooring.populator.explain;

import org.jspecify.annotations.NullMarked;
