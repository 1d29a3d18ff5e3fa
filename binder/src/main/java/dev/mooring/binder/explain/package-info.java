/**
 * Explanations of claims, volumes and storage classes: what an object waits for, and who acts next.
 * They come from the views of {@code state} and the decisions of {@code decide}, and write nothing.
 */
@NullMarked
package dev.mooring.binder.explain;

import org.jspecify.annotations.NullMarked;
