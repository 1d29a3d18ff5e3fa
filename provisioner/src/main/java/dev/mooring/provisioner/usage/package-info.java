/** How full volumes are, and that their users hear of it when they are over their size. */
@NullMarked
package dev.mooring.provisioner.usage;

import org.jspecify.annotations.NullMarked;
