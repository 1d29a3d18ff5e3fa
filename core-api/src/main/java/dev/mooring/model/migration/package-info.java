/**
 * Translation of in-tree volumes to the form of the CSI drivers that replace the in-tree plugins.
 * Pure functions, so decisions may depend on them. May depend on {@code model}.
 *
 * <p>The translation of each field follows Kubernetes (csi-translation-lib of 1.36). {@code
 * InTreeVolumesTest}, {@code InTreeTopologyTest} and {@code InTreePodVolumesTest} have a row for
 * each. Plugins do not see this package.
 */
@NullMarked
package dev.mooring.model.migration;

import org.jspecify.annotations.NullMarked;
