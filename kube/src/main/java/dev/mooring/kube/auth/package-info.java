/**
 * Connection settings of an API server: kubeconfig files, credentials and their renewal,
 * certificates, proxies. Sends no requests. May depend on the HTTP client.
 */
@NullMarked
package dev.mooring.kube.auth;

import org.jspecify.annotations.NullMarked;
