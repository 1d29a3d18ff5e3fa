/**
 * Requests: routing, handlers, patches, lists, watches, discovery, over the JDK's HTTP server and
 * virtual threads.
 */
@NullMarked
package dev.mooring.apiserver.http;

import org.jspecify.annotations.NullMarked;
