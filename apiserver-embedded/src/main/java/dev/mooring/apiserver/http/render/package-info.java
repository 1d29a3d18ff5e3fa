/**
 * The bytes of an answer: objects, lists, watch events and scales, in the form that the request
 * accepts.
 */
@NullMarked
package dev.mooring.apiserver.http.render;

import org.jspecify.annotations.NullMarked;
