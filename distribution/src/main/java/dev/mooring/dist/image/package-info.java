/** A container image of nothing but what Mooring needs to run. */
@NullMarked
package dev.mooring.dist.image;

import org.jspecify.annotations.NullMarked;
