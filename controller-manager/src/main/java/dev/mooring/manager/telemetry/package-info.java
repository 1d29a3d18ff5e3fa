/** Metrics and logs. */
@NullMarked
package dev.mooring.manager.telemetry;

import org.jspecify.annotations.NullMarked;
