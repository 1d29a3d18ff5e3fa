/**
 * What external-provisioner, external-attacher and external-resizer do for a CSI driver, in one
 * process with one cache (spec/csi-bridge.md). {@code driver} knows the driver, {@code decide}
 * works out what it is asked, {@code execute} asks. May see core-api.
 */
@NullMarked
package dev.mooring.csi;

import org.jspecify.annotations.NullMarked;
