/**
 * What the controller remembers: the volumes that pods need on nodes ({@link
 * dev.mooring.attachdetach.state.DesiredStateOfWorld}), the volumes that are attached ({@link
 * dev.mooring.attachdetach.state.ActualStateOfWorld}), and memory of operations. Builds the views
 * for decisions. May depend on {@code decide}, {@code informer}, {@code spi} and {@code model}.
 */
@NullMarked
package dev.mooring.attachdetach.state;

import org.jspecify.annotations.NullMarked;
