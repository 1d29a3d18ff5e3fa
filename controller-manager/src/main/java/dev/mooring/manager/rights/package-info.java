/** RBAC roles, built from the rights that controllers declare. Pure functions. */
@NullMarked
package dev.mooring.manager.rights;

import org.jspecify.annotations.NullMarked;
