/** Restores condemned volumes and their claims: {@code mooring undo}. */
@NullMarked
package dev.mooring.manager.undo;

import org.jspecify.annotations.NullMarked;
