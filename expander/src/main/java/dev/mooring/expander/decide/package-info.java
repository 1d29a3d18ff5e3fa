/** Who has to grow a claim's volume, decided from the claim and its volume alone. */
@NullMarked
package dev.mooring.expander.decide;

import org.jspecify.annotations.NullMarked;
