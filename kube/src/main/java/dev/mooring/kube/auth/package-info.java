/**
 * Who we are to an API server and how it is reached: kubeconfig files, credentials and their
 * renewal, TLS, proxies. Nothing here sends a request. May depend on the HTTP client.
 */
@NullMarked
package dev.mooring.kube.auth;

import org.jspecify.annotations.NullMarked;
