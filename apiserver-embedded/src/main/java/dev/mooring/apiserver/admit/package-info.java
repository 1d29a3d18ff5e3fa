/**
 * Last before an object is stored it is admitted: defaults are filled in, and limits, quotas and
 * its namespace may refuse it.
 */
@NullMarked
package dev.mooring.apiserver.admit;

import org.jspecify.annotations.NullMarked;
