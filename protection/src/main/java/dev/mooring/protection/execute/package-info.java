/** Writes of the protection controllers. Depends on core-api and the outputs of {@code decide}. */
@NullMarked
package dev.mooring.protection.execute;

import org.jspecify.annotations.NullMarked;
