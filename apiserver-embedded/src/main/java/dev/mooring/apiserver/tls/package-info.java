/** Certificates that the server makes for itself and for those whom it is to know by one. */
@NullMarked
package dev.mooring.apiserver.tls;

import org.jspecify.annotations.NullMarked;
