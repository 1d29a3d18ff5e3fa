/** Pages as records; each renders itself as HTML and as JSON. */
@NullMarked
package dev.mooring.console.page;

import org.jspecify.annotations.NullMarked;
