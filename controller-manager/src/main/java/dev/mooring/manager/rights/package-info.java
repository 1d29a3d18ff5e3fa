/** Roles, made of the rights that controllers declare. Pure. */
@NullMarked
package dev.mooring.manager.rights;

import org.jspecify.annotations.NullMarked;
