/**
 * Removes control, format and invisible characters from text that leaves the process. May depend on
 * the JDK only.
 */
@NullMarked
package dev.mooring.text;

import org.jspecify.annotations.NullMarked;
