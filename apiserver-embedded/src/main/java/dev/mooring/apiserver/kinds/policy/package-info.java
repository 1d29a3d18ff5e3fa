/** Limits: quotas, limit ranges, disruption budgets and network policies. */
@NullMarked
package dev.mooring.apiserver.kinds.policy;

import org.jspecify.annotations.NullMarked;
