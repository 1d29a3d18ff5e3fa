/**
 * Controllers for CSI drivers, equivalent to external-provisioner, external-attacher,
 * external-resizer, csi-snapshotter and external-health-monitor in one process with one cache.
 * {@code decide} holds the rules, {@code execute} calls drivers and writes the results. Depends on
 * core-api.
 */
@NullMarked
package dev.mooring.csi;

import org.jspecify.annotations.NullMarked;
