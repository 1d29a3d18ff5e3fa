/**
 * Operations on objects, for requests and for code in the process: creation, update and deletion,
 * with preconditions, field ownership and the lifecycle of custom resources.
 */
@NullMarked
package dev.mooring.apiserver.handle;

import org.jspecify.annotations.NullMarked;
