/**
 * Admission, the last step before storage: sets defaults, and refuses objects because of limits,
 * quotas or their namespace.
 */
@NullMarked
package dev.mooring.apiserver.admit;

import org.jspecify.annotations.NullMarked;
