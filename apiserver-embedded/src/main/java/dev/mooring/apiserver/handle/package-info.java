/**
 * What is done with objects, whoever asks for it, a request or the process itself: here they are
 * created, changed and deleted, with their preconditions, their owners of fields and the life of
 * custom resources.
 */
@NullMarked
package dev.mooring.apiserver.handle;

import org.jspecify.annotations.NullMarked;
