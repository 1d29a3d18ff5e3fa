/**
 * The controller-manager: command line and assembly. May depend on all modules; none may depend on
 * it.
 */
@NullMarked
package dev.mooring.manager;

import org.jspecify.annotations.NullMarked;
