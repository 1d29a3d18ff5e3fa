/** HTML as a tree of values. One method escapes all text. */
@NullMarked
package dev.mooring.console.html;

import org.jspecify.annotations.NullMarked;
