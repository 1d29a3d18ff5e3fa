/** Workloads of apps/v1. */
@NullMarked
package dev.mooring.apiserver.kinds.apps;

import org.jspecify.annotations.NullMarked;
