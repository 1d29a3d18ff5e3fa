/** Growth of the claims and the claim template of a StatefulSet. */
@NullMarked
package dev.mooring.manager.grow;

import org.jspecify.annotations.NullMarked;
