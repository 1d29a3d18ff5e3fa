/** Asks drivers, and writes down what they answered. */
@NullMarked
package dev.mooring.csi.execute;

import org.jspecify.annotations.NullMarked;
