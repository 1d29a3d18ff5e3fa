/** The driver: whether it is there, and what it can do. */
@NullMarked
package dev.mooring.csi.driver;

import org.jspecify.annotations.NullMarked;
