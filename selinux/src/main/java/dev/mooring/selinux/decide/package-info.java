/**
 * Which label a pod's volumes are mounted with, and which pods conflict.
 *
 * <p>A file has one SELinux label. A volume whose driver can mount it with a label ({@code -o
 * context=}) has that label as a whole: of two pods that want different ones only one can have the
 * volume on a node. Where labels are changed file by file ({@code Recursive}) the last pod to start
 * wins, and if one pod has its volume mounted with a label and another one changes files, neither
 * is safe from the other. What a node fills in for parts that a pod leaves out is not known here.
 */
@NullMarked
package dev.mooring.selinux.decide;

import org.jspecify.annotations.NullMarked;
