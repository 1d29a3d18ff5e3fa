/** What the console knows: the cluster that is followed, and what waits in it. */
@NullMarked
package dev.mooring.console.view;

import org.jspecify.annotations.NullMarked;
