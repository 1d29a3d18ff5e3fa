/**
 * The one door to Kubernetes: who we are there is {@code auth}'s, bodies are decoded in {@code
 * wire}, straight from the byte stream into the model. May depend on core-api, the HTTP client and
 * the Kubernetes client; nothing else in Mooring may.
 */
@NullMarked
package dev.mooring.kube;

import org.jspecify.annotations.NullMarked;
