/**
 * Explanations of claims that request more than their capacity. Depends on core-api, {@code decide}
 * and {@code state}.
 */
@NullMarked
package dev.mooring.expander.explain;

import org.jspecify.annotations.NullMarked;
