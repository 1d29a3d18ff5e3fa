/**
 * Emits events for pods that cannot share a volume because of their SELinux labels. Off by default,
 * as in Kubernetes.
 */
@NullMarked
package dev.mooring.selinux;

import org.jspecify.annotations.NullMarked;
