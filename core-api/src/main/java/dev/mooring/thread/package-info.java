/**
 * Threads that the process cannot do without, and how it ends when one of them ends. May depend on
 * the JDK only.
 */
@NullMarked
package dev.mooring.thread;

import org.jspecify.annotations.NullMarked;
