/** Encodes answers: objects, lists, watch events and scales in the negotiated form. */
@NullMarked
package dev.mooring.apiserver.http.render;

import org.jspecify.annotations.NullMarked;
