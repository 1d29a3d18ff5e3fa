/** Tools of the Model Context Protocol that answer {@code explain} questions. Read-only. */
@NullMarked
package dev.mooring.manager.mcp;

import org.jspecify.annotations.NullMarked;
