/**
 * An API server for demos, tests and benchmarks, in process or by itself: REST and watches as
 * kubectl, client-go and Mooring need them. Not for production: it keeps everything in memory, and
 * knows one user.
 */
@NullMarked
package dev.mooring.apiserver;

import org.jspecify.annotations.NullMarked;
