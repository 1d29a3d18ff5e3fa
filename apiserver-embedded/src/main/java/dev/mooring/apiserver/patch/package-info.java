/** JSON patches and merge patches. */
@NullMarked
package dev.mooring.apiserver.patch;

import org.jspecify.annotations.NullMarked;
