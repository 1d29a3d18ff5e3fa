/** The Common Expression Language of x-kubernetes-validations. */
@NullMarked
package dev.mooring.apiserver.kinds.cel;

import org.jspecify.annotations.NullMarked;
