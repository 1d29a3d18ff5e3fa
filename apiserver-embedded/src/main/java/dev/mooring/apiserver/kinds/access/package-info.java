/** Roles, their bindings and service accounts. */
@NullMarked
package dev.mooring.apiserver.kinds.access;

import org.jspecify.annotations.NullMarked;
