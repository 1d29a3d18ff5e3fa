/**
 * What the controllers of a driver remember, and indexes of caches. Each class forgets in one
 * place: a claim when it is deleted ({@code ResizeMemory}, {@code ModifyMemory}) or provisioned
 * ({@code BlockedClaims}, {@code EarlierCalls}), others when their object is gone.
 */
@NullMarked
package dev.mooring.csi.state;

import org.jspecify.annotations.NullMarked;
