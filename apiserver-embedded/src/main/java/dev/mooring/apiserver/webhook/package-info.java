/** Admission webhooks: which of them a request concerns, the call, and its answer. */
@NullMarked
package dev.mooring.apiserver.webhook;

import org.jspecify.annotations.NullMarked;
