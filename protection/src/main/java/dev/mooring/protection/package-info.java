/**
 * Protection of volumes and claims: they go only when nobody uses them any more. May see core-api.
 */
@NullMarked
package dev.mooring.protection;

import org.jspecify.annotations.NullMarked;
