/** Who asks, and what they may. */
@NullMarked
package dev.mooring.apiserver.access;

import org.jspecify.annotations.NullMarked;
