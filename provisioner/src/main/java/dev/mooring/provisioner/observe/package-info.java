/** Observations of the cluster that caches do not keep. */
@NullMarked
package dev.mooring.provisioner.observe;

import org.jspecify.annotations.NullMarked;
