/** Readers of responses of the API server, in protobuf and JSON. */
@NullMarked
package dev.mooring.kube.wire;

import org.jspecify.annotations.NullMarked;
