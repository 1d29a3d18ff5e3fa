/** gRPC client for CSI drivers over unix sockets and TCP, without native libraries. */
@NullMarked
package dev.mooring.plugin.csi;

import org.jspecify.annotations.NullMarked;
