/**
 * Audit log: one entry per write to the cluster, event, slow operation and failed reconcile, of
 * every controller. The assembly decides where entries are stored. May depend on {@code model},
 * {@code cluster}, {@code time} and {@code workqueue}.
 */
@NullMarked
package dev.mooring.audit;

import org.jspecify.annotations.NullMarked;
