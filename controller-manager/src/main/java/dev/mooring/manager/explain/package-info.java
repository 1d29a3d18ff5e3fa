/**
 * Explanations of a cluster that is only looked at: reading it, asking the controllers, telling.
 */
@NullMarked
package dev.mooring.manager.explain;

import org.jspecify.annotations.NullMarked;
