/**
 * Shared parts of provisioning and deletion: plugins, provisioners, creation of volume objects, and
 * the circuit breaker for deletions. May depend on {@code cluster}, {@code live}, {@code operation}
 * and {@code reconcile}.
 */
@NullMarked
package dev.mooring.storage;

import org.jspecify.annotations.NullMarked;
