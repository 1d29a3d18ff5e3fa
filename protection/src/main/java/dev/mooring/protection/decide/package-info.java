/**
 * Whether a protection finalizer comes or goes. A claim is in use while a scheduled pod that has
 * not gone names it; a volume is in use while it is bound. What is being deleted and unused loses
 * its finalizer; what lives and lacks it gets it back.
 */
@NullMarked
package dev.mooring.protection.decide;

import org.jspecify.annotations.NullMarked;
