/** Other processes that may run the same controllers: their Leases and their flags. */
@NullMarked
package dev.mooring.manager.peer;

import org.jspecify.annotations.NullMarked;
