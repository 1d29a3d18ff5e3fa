/**
 * Rules that several kinds share: names, selectors, quantities, addresses, paths and scheduling.
 */
@NullMarked
package dev.mooring.apiserver.kinds.rules;

import org.jspecify.annotations.NullMarked;
