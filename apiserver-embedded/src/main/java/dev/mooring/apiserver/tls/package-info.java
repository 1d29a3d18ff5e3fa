/** Certificates of the server and of its clients. */
@NullMarked
package dev.mooring.apiserver.tls;

import org.jspecify.annotations.NullMarked;
