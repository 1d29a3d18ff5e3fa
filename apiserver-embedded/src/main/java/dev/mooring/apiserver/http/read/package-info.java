/** Serves GET: single objects, lists with selectors and pages, and watches. */
@NullMarked
package dev.mooring.apiserver.http.read;

import org.jspecify.annotations.NullMarked;
