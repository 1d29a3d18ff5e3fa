/**
 * Decides what to do about a volume. Pure: the same view gives the same steps. May depend on {@code
 * model}.
 *
 * <p>Start reading at {@link dev.mooring.attachdetach.decide.AttachDecider}.
 */
@NullMarked
package dev.mooring.attachdetach.decide;

import org.jspecify.annotations.NullMarked;
