/** Connections with TLS, HTTP/1.1, HTTP/2 and WebSockets. */
@NullMarked
package dev.mooring.apiserver.wire;

import org.jspecify.annotations.NullMarked;
