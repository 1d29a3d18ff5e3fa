/** What {@code explain} answers, as tools of the Model Context Protocol. Nothing is written. */
@NullMarked
package dev.mooring.manager.mcp;

import org.jspecify.annotations.NullMarked;
