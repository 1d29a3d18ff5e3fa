/**
 * What pods want attached ({@link dev.mooring.attachdetach.world.DesiredStateOfWorld}) and what is
 * attached ({@link dev.mooring.attachdetach.world.ActualStateOfWorld}). The desired state is
 * written by the populator alone, the actual state by start-up, by attaches and detaches and by the
 * verification; everybody else gets copies. May depend on {@code decide} and {@code model}.
 */
@NullMarked
package dev.mooring.attachdetach.world;

import org.jspecify.annotations.NullMarked;
