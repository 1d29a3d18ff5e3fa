/**
 * Web console: shows why storage is waiting, as HTML and JSON, with live updates. Read-only. The
 * host supplies the cluster ({@link dev.mooring.console.view.FollowedCluster}) and the HTTP server.
 */
@NullMarked
package dev.mooring.console;

import org.jspecify.annotations.NullMarked;
