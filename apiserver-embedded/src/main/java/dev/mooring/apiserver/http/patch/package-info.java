/**
 * A PATCH is served here: the object as the patch wants it is computed, by one of four kinds of
 * patches, and goes on as other writes do.
 */
@NullMarked
package dev.mooring.apiserver.http.patch;

import org.jspecify.annotations.NullMarked;
