/** Packs the release artefacts. Equal sources give equal bytes. */
@NullMarked
package dev.mooring.dist;

import org.jspecify.annotations.NullMarked;
