/**
 * Reconcile loop. A {@link dev.mooring.reconcile.Worker} takes keys from a queue, calls a {@link
 * dev.mooring.reconcile.Reconciler} and applies its {@link dev.mooring.reconcile.Outcome} to the
 * queue; no other class takes keys. A {@link dev.mooring.reconcile.ControllerRuntime} owns the
 * workers of one controller, a {@link dev.mooring.reconcile.ControllerGroup} the controllers of one
 * name. May depend on {@code workqueue}, {@code cluster}, {@code spi}.
 */
@NullMarked
package dev.mooring.reconcile;

import org.jspecify.annotations.NullMarked;
