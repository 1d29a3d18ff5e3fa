/** Makes, saves, destroys, and tells. */
@NullMarked
package dev.mooring.provisioner.execute;

import org.jspecify.annotations.NullMarked;
