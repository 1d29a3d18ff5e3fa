/**
 * The expand controller: determines which component expands the volume of a claim. Depends on
 * core-api.
 */
@NullMarked
package dev.mooring.expander;

import org.jspecify.annotations.NullMarked;
