/** Serves discovery and OpenAPI. */
@NullMarked
package dev.mooring.apiserver.http.discover;

import org.jspecify.annotations.NullMarked;
