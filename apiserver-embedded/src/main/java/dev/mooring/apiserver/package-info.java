/**
 * An API server for demos, tests and benchmarks, in process or standalone. It serves REST and
 * watches as kubectl, client-go and Mooring need them. Not for production.
 */
@NullMarked
package dev.mooring.apiserver;

import org.jspecify.annotations.NullMarked;
