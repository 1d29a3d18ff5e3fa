/**
 * The model of a kind: its names, strategy, printed columns and custom schema, and the errors that
 * requests answer with.
 */
@NullMarked
package dev.mooring.apiserver.kinds.model;

import org.jspecify.annotations.NullMarked;
