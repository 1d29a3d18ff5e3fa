/**
 * Knows what pods want attached ({@link dev.mooring.attachdetach.observe.DesiredStateOfWorld},
 * which the populator alone writes) and what is attached ({@link
 * dev.mooring.attachdetach.observe.ActualStateOfWorld}, which the updater alone writes: the start,
 * attaches and detaches, the verification and event handlers report to it), and turns both into
 * views. May depend on {@code decide}, {@code informer}, {@code operation} and {@code model}.
 */
@NullMarked
package dev.mooring.attachdetach.observe;

import org.jspecify.annotations.NullMarked;
