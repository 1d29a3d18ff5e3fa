/**
 * Vital threads, and the exit of the process after one of them ends. May depend on the JDK only.
 */
@NullMarked
package dev.mooring.thread;

import org.jspecify.annotations.NullMarked;
