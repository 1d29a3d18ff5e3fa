/**
 * The expand controller: tells who grows the volume of a claim that asks for more. May see
 * core-api.
 */
@NullMarked
package dev.mooring.expander;

import org.jspecify.annotations.NullMarked;
