/**
 * Warns of pods that cannot use a volume together because of their SELinux labels. Writes nothing
 * but events.
 */
@NullMarked
package dev.mooring.selinux;

import org.jspecify.annotations.NullMarked;
