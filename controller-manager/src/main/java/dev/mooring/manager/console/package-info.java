/** Host of the console: its cluster and its HTTP server. */
@NullMarked
package dev.mooring.manager.console;

import org.jspecify.annotations.NullMarked;
