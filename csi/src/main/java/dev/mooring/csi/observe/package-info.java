/** What is known of the cluster and of time: whose turn it is. */
@NullMarked
package dev.mooring.csi.observe;

import org.jspecify.annotations.NullMarked;
