/** Authenticates and authorizes requests, and serves reviews and token requests. */
@NullMarked
package dev.mooring.apiserver.http.authorize;

import org.jspecify.annotations.NullMarked;
