/** Commands of the command line. */
@NullMarked
package dev.mooring.manager.command;

import org.jspecify.annotations.NullMarked;
