/** Services, endpoints and endpoint slices. */
@NullMarked
package dev.mooring.apiserver.kinds.network;

import org.jspecify.annotations.NullMarked;
