/**
 * A POST, PUT or DELETE is served here: the body goes to the handlers, what they made of it back to
 * the client.
 */
@NullMarked
package dev.mooring.apiserver.http.write;

import org.jspecify.annotations.NullMarked;
