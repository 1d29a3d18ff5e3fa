/** Creates, saves and deletes volumes, and reports the results. */
@NullMarked
package dev.mooring.provisioner.execute;

import org.jspecify.annotations.NullMarked;
