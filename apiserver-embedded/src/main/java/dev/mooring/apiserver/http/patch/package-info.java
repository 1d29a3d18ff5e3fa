/**
 * Serves PATCH: computes the patched object for the four patch types, then stores it like an
 * update.
 */
@NullMarked
package dev.mooring.apiserver.http.patch;

import org.jspecify.annotations.NullMarked;
