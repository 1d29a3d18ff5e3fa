/**
 * Decisions about protection finalizers. A claim is in use while a scheduled pod that has not ended
 * names it; a volume is in use while it is bound. An unused object that is being deleted loses its
 * finalizer; a live object without the finalizer gets it back.
 */
@NullMarked
package dev.mooring.protection.decide;

import org.jspecify.annotations.NullMarked;
