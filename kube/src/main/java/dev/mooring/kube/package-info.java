/**
 * The one door to Kubernetes: configuration and transport are client-java's, bodies are decoded
 * here, straight from the byte stream into the model. May depend on core-api and the Kubernetes
 * client; nothing else in Mooring may.
 */
@NullMarked
package dev.mooring.kube;

import org.jspecify.annotations.NullMarked;
