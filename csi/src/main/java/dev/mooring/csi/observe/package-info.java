/** The driver: whether it is there, and what it can do. */
@NullMarked
package dev.mooring.csi.observe;

import org.jspecify.annotations.NullMarked;
