/**
 * What is to be done about a volume, given everything that is known about it. Pure: the same view
 * gives the same steps. May depend on {@code model}.
 *
 * <p>The essay is at {@link dev.mooring.attachdetach.decide.AttachDecider}.
 */
@NullMarked
package dev.mooring.attachdetach.decide;

import org.jspecify.annotations.NullMarked;
