/** Release artefacts, the same bytes from the same sources. */
@NullMarked
package dev.mooring.dist;

import org.jspecify.annotations.NullMarked;
