/** Connections with TLS, and the two protocols that are spoken over them. */
@NullMarked
package dev.mooring.apiserver.wire;

import org.jspecify.annotations.NullMarked;
