/**
 * Model Context Protocol server on standard streams. The host supplies the tools; this package does
 * not depend on clusters.
 */
@NullMarked
package dev.mooring.mcp;

import org.jspecify.annotations.NullMarked;
