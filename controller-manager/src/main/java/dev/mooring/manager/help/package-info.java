/** Help of the command line: layout on a terminal, and manual pages. */
@NullMarked
package dev.mooring.manager.help;

import org.jspecify.annotations.NullMarked;
