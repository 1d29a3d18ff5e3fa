/**
 * The only loop. A {@link dev.mooring.reconcile.Worker} takes keys from a queue, asks a {@link
 * dev.mooring.reconcile.Reconciler} and maps its {@link dev.mooring.reconcile.Outcome} to the
 * queue; nothing else touches a queue's taking side. A {@link
 * dev.mooring.reconcile.ControllerRuntime} has the workers of a controller, a {@link
 * dev.mooring.reconcile.ControllerGroup} the controllers of a name. May depend on {@code
 * workqueue}, {@code cluster}, {@code spi}.
 */
@NullMarked
package dev.mooring.reconcile;

import org.jspecify.annotations.NullMarked;
