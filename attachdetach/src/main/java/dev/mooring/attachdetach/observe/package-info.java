/**
 * Observes what pods want attached ({@link dev.mooring.attachdetach.observe.DesiredStateOfWorld})
 * and what is attached ({@link dev.mooring.attachdetach.observe.ActualStateOfWorld}), and builds
 * views of both. Each has one writer: the populator, and the updater, which receives the reports of
 * recovery, operations, verification and event handlers. May depend on {@code decide}, {@code
 * informer}, {@code operation} and {@code model}.
 */
@NullMarked
package dev.mooring.attachdetach.observe;

import org.jspecify.annotations.NullMarked;
