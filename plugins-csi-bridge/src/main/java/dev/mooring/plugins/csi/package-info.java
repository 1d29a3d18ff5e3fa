/** Carries the host's calls to CSI drivers: gRPC over unix sockets, without native libraries. */
@NullMarked
package dev.mooring.plugins.csi;

import org.jspecify.annotations.NullMarked;
