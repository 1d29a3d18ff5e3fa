/**
 * Here it is found out who sent a request and whether they may do what it asks; who asks about just
 * that, by a review or for a token, is answered at once.
 */
@NullMarked
package dev.mooring.apiserver.http.authorize;

import org.jspecify.annotations.NullMarked;
