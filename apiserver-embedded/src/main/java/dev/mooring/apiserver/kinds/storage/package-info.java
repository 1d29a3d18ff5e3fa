/** Volumes, claims, classes and the kinds of CSI. */
@NullMarked
package dev.mooring.apiserver.kinds.storage;

import org.jspecify.annotations.NullMarked;
