/**
 * Runs all decisions of a manager beside the cluster's own controllers without a write, and reports
 * where the decisions differ.
 */
@NullMarked
package dev.mooring.manager.shadow;

import org.jspecify.annotations.NullMarked;
