/** Autoscalers in version v1, which are stored as v2. */
@NullMarked
package dev.mooring.apiserver.kinds.autoscaling;

import org.jspecify.annotations.NullMarked;
