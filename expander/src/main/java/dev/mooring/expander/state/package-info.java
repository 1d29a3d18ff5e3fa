/** What the expand controller knows about plugins. Depends on core-api. */
@NullMarked
package dev.mooring.expander.state;

import org.jspecify.annotations.NullMarked;
