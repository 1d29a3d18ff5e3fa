/**
 * Calls drivers and writes their answers to the cluster. Makes no decisions of its own; the rules
 * are in {@code decide}.
 */
@NullMarked
package dev.mooring.csi.execute;

import org.jspecify.annotations.NullMarked;
