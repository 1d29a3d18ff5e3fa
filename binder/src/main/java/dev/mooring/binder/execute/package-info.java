/**
 * Actions of the binder: patches, plugin calls, events. Only {@link
 * dev.mooring.binder.execute.BinderReporter} emits events. Depends on core-api and the outputs of
 * {@code decide}, never on {@code observe}.
 */
@NullMarked
package dev.mooring.binder.execute;

import org.jspecify.annotations.NullMarked;
