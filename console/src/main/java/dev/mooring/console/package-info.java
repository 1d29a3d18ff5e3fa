/**
 * The page: what waits in a cluster and why, as HTML and as JSON, live. It only looks. Whoever
 * hosts it brings the cluster ({@link dev.mooring.console.view.FollowedCluster}) and the HTTP
 * server.
 */
@NullMarked
package dev.mooring.console;

import org.jspecify.annotations.NullMarked;
