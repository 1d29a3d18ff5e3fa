/** What was seen of the cluster that its caches forget. */
@NullMarked
package dev.mooring.provisioner.observe;

import org.jspecify.annotations.NullMarked;
