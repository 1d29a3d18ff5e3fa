/**
 * What the binder does: patches, plugin calls, events. Only the {@link
 * dev.mooring.binder.execute.BinderReporter} tells anybody. May see core-api and the outputs of
 * {@code decide}, never {@code observe}.
 */
@NullMarked
package dev.mooring.binder.execute;

import org.jspecify.annotations.NullMarked;
