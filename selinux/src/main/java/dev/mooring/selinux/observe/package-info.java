/** Resolves volumes of pods. Depends on {@code informer} and the inputs of {@code decide}. */
@NullMarked
package dev.mooring.selinux.observe;

import org.jspecify.annotations.NullMarked;
