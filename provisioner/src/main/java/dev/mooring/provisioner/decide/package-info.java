/** Pure decisions about claims and volumes. */
@NullMarked
package dev.mooring.provisioner.decide;

import org.jspecify.annotations.NullMarked;
