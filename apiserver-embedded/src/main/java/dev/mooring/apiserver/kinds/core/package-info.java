/** Namespaces, nodes, events, leases, config maps and secrets. */
@NullMarked
package dev.mooring.apiserver.kinds.core;

import org.jspecify.annotations.NullMarked;
