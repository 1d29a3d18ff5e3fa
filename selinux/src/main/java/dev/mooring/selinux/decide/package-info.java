/**
 * Determines the SELinux labels of pods' volumes and the conflicts between pods. Pure functions;
 * depends on {@code model}.
 *
 * <p>A driver with {@code seLinuxMount} mounts a volume with one label ({@code -o context=}). On a
 * node, only one of two pods with different labels can then use the volume. With the policy {@code
 * Recursive} the container runtime relabels every file, and the pod that starts last wins. If one
 * pod uses a labelled mount and another relabels files, each can break the other. Defaults that a
 * node adds to an incomplete label are unknown here.
 */
@NullMarked
package dev.mooring.selinux.decide;

import org.jspecify.annotations.NullMarked;
