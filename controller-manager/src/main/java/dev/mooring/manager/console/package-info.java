/** The console's host: the cluster that it shows, and the HTTP server that shows it. */
@NullMarked
package dev.mooring.manager.console;

import org.jspecify.annotations.NullMarked;
