/**
 * What pods want attached ({@link dev.mooring.attachdetach.world.DesiredWorld}) and what is
 * attached ({@link dev.mooring.attachdetach.world.ActualWorld}). The desired world is written by
 * the intake alone, the actual world by start-up, by attaches and detaches and by the verification;
 * everybody else gets copies. May depend on {@code decide} and {@code model}.
 */
@NullMarked
package dev.mooring.attachdetach.world;

import org.jspecify.annotations.NullMarked;
