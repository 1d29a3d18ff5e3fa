/**
 * Executes decisions: attaches and detaches through VolumeAttachments or plugins, writes node
 * statuses, and emits events. May depend on {@code decide}, {@code cluster}, {@code informer},
 * {@code operation}, {@code spi} and {@code model}.
 */
@NullMarked
package dev.mooring.attachdetach.execute;

import org.jspecify.annotations.NullMarked;
