/**
 * Controllers for claims with data sources of any kind: one has plugins fill new volumes, the other
 * reports kinds that no populator serves.
 */
@NullMarked
package dev.mooring.populator;

import org.jspecify.annotations.NullMarked;
