/** Creates, saves and deletes volumes and reports it. */
@NullMarked
package dev.mooring.provisioner.execute;

import org.jspecify.annotations.NullMarked;
