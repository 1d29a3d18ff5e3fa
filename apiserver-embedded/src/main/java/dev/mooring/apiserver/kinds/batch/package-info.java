/** Jobs. */
@NullMarked
package dev.mooring.apiserver.kinds.batch;

import org.jspecify.annotations.NullMarked;
