/** Live reads of the pods that use claims. */
@NullMarked
package dev.mooring.protection.observe;

import org.jspecify.annotations.NullMarked;
