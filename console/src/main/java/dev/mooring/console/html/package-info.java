/** Pages as values: what is text stays text, escaped in one place. */
@NullMarked
package dev.mooring.console.html;

import org.jspecify.annotations.NullMarked;
