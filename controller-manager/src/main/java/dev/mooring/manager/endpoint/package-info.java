/** HTTP endpoints for health and metrics, with TLS, authentication and authorization. */
@NullMarked
package dev.mooring.manager.endpoint;

import org.jspecify.annotations.NullMarked;
