/**
 * Turns what the informers see into the desired world, and both worlds into views. May depend on
 * {@code decide}, {@code world}, {@code informer}, {@code operation} and {@code model}.
 */
@NullMarked
package dev.mooring.attachdetach.observe;

import org.jspecify.annotations.NullMarked;
