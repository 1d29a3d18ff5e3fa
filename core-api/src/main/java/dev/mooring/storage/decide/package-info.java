/**
 * What several controllers decide alike about volumes being made: pure, as every {@code decide}.
 * May depend on {@code model} and {@code live}.
 */
@NullMarked
package dev.mooring.storage.decide;

import org.jspecify.annotations.NullMarked;
