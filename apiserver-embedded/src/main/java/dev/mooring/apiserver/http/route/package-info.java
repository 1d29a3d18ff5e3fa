/**
 * The entry of every request: counts and logs it, checks access, and passes it to the handler of
 * its path and method.
 */
@NullMarked
package dev.mooring.apiserver.http.route;

import org.jspecify.annotations.NullMarked;
