/** What a driver is asked, worked out from objects alone. */
@NullMarked
package dev.mooring.csi.decide;

import org.jspecify.annotations.NullMarked;
