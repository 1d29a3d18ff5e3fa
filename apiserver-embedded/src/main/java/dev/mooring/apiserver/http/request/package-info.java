/** Parses requests for all later steps: request line, query, body and write options. */
@NullMarked
package dev.mooring.apiserver.http.request;

import org.jspecify.annotations.NullMarked;
