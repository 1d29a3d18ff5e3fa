/** Simulated nodes: a scheduler and kubelets that use the same handlers as HTTP requests do. */
@NullMarked
package dev.mooring.apiserver.simulate;

import org.jspecify.annotations.NullMarked;
