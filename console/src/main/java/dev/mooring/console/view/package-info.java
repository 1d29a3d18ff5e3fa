/** Model of the console: the followed cluster and the objects that are waiting in it. */
@NullMarked
package dev.mooring.console.view;

import org.jspecify.annotations.NullMarked;
