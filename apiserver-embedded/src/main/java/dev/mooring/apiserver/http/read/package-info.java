/** A GET is served here: one object, a list by its selectors and pages, a watch until it ends. */
@NullMarked
package dev.mooring.apiserver.http.read;

import org.jspecify.annotations.NullMarked;
