/** Configurations of admission webhooks. */
@NullMarked
package dev.mooring.apiserver.kinds.admission;

import org.jspecify.annotations.NullMarked;
