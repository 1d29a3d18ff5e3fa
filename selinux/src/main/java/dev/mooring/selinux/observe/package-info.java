/** Knows which pods mount which volumes. Never decides what follows, never writes. */
@NullMarked
package dev.mooring.selinux.observe;

import org.jspecify.annotations.NullMarked;
