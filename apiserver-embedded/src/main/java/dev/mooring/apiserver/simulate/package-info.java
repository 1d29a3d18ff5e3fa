/**
 * Nodes that are not there: a scheduler and a kubelet that act on the store through the same
 * handlers as anybody.
 */
@NullMarked
package dev.mooring.apiserver.simulate;

import org.jspecify.annotations.NullMarked;
