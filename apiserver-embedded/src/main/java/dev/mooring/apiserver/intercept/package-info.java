/** Observation and refusal of requests by tests. */
@NullMarked
package dev.mooring.apiserver.intercept;

import org.jspecify.annotations.NullMarked;
