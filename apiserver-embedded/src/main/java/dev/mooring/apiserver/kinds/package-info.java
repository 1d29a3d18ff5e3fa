/** The rules of each kind: defaults, validation, admission, printed columns. */
@NullMarked
package dev.mooring.apiserver.kinds;

import org.jspecify.annotations.NullMarked;
