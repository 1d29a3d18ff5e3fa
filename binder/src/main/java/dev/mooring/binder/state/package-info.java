/**
 * What the binder remembers: free volumes and reservations, waiting claims, events, unfinished
 * work, and the views that it builds from these and the caches. {@code observe} writes it, the
 * reconcilers and {@code execute} read it and report completed work.
 *
 * <p>{@link dev.mooring.binder.state.VolumeReservations} matches claims and volumes; {@code
 * docs/dev/binder.md} describes how.
 */
@NullMarked
package dev.mooring.binder.state;

import org.jspecify.annotations.NullMarked;
