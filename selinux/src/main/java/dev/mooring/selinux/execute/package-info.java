/** Tells pods of conflicts. Never chooses. */
@NullMarked
package dev.mooring.selinux.execute;

import org.jspecify.annotations.NullMarked;
