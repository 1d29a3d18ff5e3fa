/** Builds a minimal container image that contains only what Mooring needs to run. */
@NullMarked
package dev.mooring.dist.image;

import org.jspecify.annotations.NullMarked;
