/** Emits events for conflicts. Depends on {@code cluster} and the outputs of {@code decide}. */
@NullMarked
package dev.mooring.selinux.execute;

import org.jspecify.annotations.NullMarked;
