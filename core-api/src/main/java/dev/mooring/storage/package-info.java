/**
 * What controllers share about volumes being made and destroyed: who makes them, and with what
 * plugins; how a made volume is saved; what holds unusually many deletions back. May depend on
 * {@code cluster}, {@code live}, {@code operation} and {@code reconcile}.
 */
@NullMarked
package dev.mooring.storage;

import org.jspecify.annotations.NullMarked;
