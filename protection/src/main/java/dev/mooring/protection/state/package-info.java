/** Live reads of the pods that use claims. */
@NullMarked
package dev.mooring.protection.state;

import org.jspecify.annotations.NullMarked;
