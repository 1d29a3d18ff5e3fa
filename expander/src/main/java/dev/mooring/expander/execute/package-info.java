/**
 * Writes, events and plugin calls of the expand controller. Depends on core-api and the outputs of
 * {@code decide}.
 */
@NullMarked
package dev.mooring.expander.execute;

import org.jspecify.annotations.NullMarked;
