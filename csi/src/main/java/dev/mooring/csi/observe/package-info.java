/** State that controllers derive from caches and from time. */
@NullMarked
package dev.mooring.csi.observe;

import org.jspecify.annotations.NullMarked;
