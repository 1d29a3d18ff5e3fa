/**
 * Explanations of objects that are being deleted and of missing claims of ephemeral volumes.
 * Depends on core-api and {@code decide}.
 */
@NullMarked
package dev.mooring.protection.explain;

import org.jspecify.annotations.NullMarked;
