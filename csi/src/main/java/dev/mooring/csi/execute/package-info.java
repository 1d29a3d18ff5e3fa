/**
 * Calls drivers and writes their answers to the cluster. Decides nothing; the rules are in {@code
 * decide}.
 */
@NullMarked
package dev.mooring.csi.execute;

import org.jspecify.annotations.NullMarked;
