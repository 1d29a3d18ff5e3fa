/**
 * Ports of controllers to the cluster: writes, live reads and events; declared rights and declared
 * keys. Implemented by {@code kube} and by a simulated cluster in tests. Writes are patches with
 * preconditions, never whole objects. May depend on {@code model}.
 */
@NullMarked
package dev.mooring.cluster;

import org.jspecify.annotations.NullMarked;
