/**
 * Watch events of the binder: a change updates {@code state} and becomes keys of claims and volumes
 * that may be affected. Depends on core-api and {@code state}.
 */
@NullMarked
package dev.mooring.binder.observe;

import org.jspecify.annotations.NullMarked;
