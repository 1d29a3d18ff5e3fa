/** The controller-manager: command line, assembly. May see everything; nothing may see it. */
@NullMarked
package dev.mooring.manager;

import org.jspecify.annotations.NullMarked;
