/**
 * The only package with its subpackages that accesses Kubernetes. {@code auth} contains credentials
 * and transport; {@code wire} decodes bodies from the byte stream into the model. May depend on
 * core-api, the HTTP client and the Kubernetes client; no other Mooring module may.
 */
@NullMarked
package dev.mooring.kube;

import org.jspecify.annotations.NullMarked;
