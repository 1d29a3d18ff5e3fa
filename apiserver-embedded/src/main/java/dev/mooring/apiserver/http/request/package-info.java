/**
 * What a request says, as every step reads it: its line, its query, its body and how a write is to
 * be done.
 */
@NullMarked
package dev.mooring.apiserver.http.request;

import org.jspecify.annotations.NullMarked;
