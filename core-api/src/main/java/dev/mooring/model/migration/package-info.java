/**
 * In-tree volumes as the CSI drivers know them that do the in-tree plugins' work now. Pure: the
 * same volume gives the same answer, so decisions may rest on it. May depend on {@code model}.
 *
 * <p>What becomes of each field is Kubernetes' (csi-translation-lib of 1.36); {@code
 * InTreeVolumesTest}, {@code InTreeTopologyTest} and {@code InTreePodVolumesTest} have a row for
 * each. Plugins do not see this package.
 */
@NullMarked
package dev.mooring.model.migration;

import org.jspecify.annotations.NullMarked;
