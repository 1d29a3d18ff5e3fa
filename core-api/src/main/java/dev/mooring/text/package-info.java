/**
 * Text that leaves the process: removes control, format and invisible characters, breaks lines and
 * prints tables. May depend on the JDK only.
 */
@NullMarked
package dev.mooring.text;

import org.jspecify.annotations.NullMarked;
