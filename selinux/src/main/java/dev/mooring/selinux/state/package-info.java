/** Remembers the pods of volumes and the reported conflicts. Depends on {@code decide}. */
@NullMarked
package dev.mooring.selinux.state;

import org.jspecify.annotations.NullMarked;
