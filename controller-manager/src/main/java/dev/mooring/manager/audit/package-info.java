/** Audit log: decisions and actions as JSON lines, with rotation and reading. */
@NullMarked
package dev.mooring.manager.audit;

import org.jspecify.annotations.NullMarked;
