/** Carries the host's calls to CSI drivers: gRPC over unix sockets, without native libraries. */
@NullMarked
package dev.mooring.plugin.csi;

import org.jspecify.annotations.NullMarked;
