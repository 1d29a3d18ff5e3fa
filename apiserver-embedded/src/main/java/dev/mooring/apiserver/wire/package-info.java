/** Connections: HTTP/1.1 and WebSockets, and HTTP/2 with TLS. */
@NullMarked
package dev.mooring.apiserver.wire;

import org.jspecify.annotations.NullMarked;
