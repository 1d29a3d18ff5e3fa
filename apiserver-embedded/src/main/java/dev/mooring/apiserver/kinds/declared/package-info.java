/** Kinds without special behaviour: their rules and columns are data. */
@NullMarked
package dev.mooring.apiserver.kinds.declared;

import org.jspecify.annotations.NullMarked;
