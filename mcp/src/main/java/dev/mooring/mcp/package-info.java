/**
 * Questions that programs ask by the Model Context Protocol, answered on standard streams. Whatever
 * is asked about is the host's: nothing here knows of clusters.
 */
@NullMarked
package dev.mooring.mcp;

import org.jspecify.annotations.NullMarked;
