/**
 * What was decided and done, one entry for each: every write to the cluster, every event, every
 * slow operation and every reconcile that failed passes here, whichever controller it is of. Where
 * entries go is the assembly's business. May depend on {@code model}, {@code cluster}, {@code time}
 * and {@code workqueue}.
 */
@NullMarked
package dev.mooring.audit;

import org.jspecify.annotations.NullMarked;
