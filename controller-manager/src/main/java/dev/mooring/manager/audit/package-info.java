/** The audit log: what was decided and done, as JSON lines; written, rotated, and read again. */
@NullMarked
package dev.mooring.manager.audit;

import org.jspecify.annotations.NullMarked;
