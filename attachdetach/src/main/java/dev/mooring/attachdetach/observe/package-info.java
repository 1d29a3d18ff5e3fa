/**
 * Turns watch events into keys, and updates the state of world: the populator alone writes the
 * desired state, and recovery finds the attachments of an earlier process. May depend on {@code
 * state}, {@code decide}, {@code informer} and {@code model}.
 */
@NullMarked
package dev.mooring.attachdetach.observe;

import org.jspecify.annotations.NullMarked;
