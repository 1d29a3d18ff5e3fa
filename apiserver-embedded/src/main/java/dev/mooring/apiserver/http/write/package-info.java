/** Serves POST, PUT and DELETE: passes bodies to the handlers and sends their results. */
@NullMarked
package dev.mooring.apiserver.http.write;

import org.jspecify.annotations.NullMarked;
