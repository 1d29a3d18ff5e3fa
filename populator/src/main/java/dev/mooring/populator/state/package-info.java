/** Views of claims that are being filled, and what the controllers remember about them. */
@NullMarked
package dev.mooring.populator.state;

import org.jspecify.annotations.NullMarked;
