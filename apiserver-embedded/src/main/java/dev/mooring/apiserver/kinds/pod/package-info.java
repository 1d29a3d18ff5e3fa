/** Pods: defaults, validation, warnings and permitted changes. */
@NullMarked
package dev.mooring.apiserver.kinds.pod;

import org.jspecify.annotations.NullMarked;
