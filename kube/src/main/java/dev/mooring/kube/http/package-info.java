/**
 * Connections to an API server. Calls use own HTTP/1.1 connections ({@code DirectCalls}); watches,
 * lists and connections through proxies use the HTTP client's library (ADR-0021).
 */
@NullMarked
package dev.mooring.kube.http;

import org.jspecify.annotations.NullMarked;
