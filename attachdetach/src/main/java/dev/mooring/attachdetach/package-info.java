/**
 * The attach/detach controller attaches volumes to the nodes whose pods use them, and detaches
 * volumes that no pod on the node uses. May depend on core-api.
 *
 * <p>{@code observe} derives the desired state of world from pods, claims, volumes, nodes and
 * drivers. It derives the actual state from the reports of attaches and detaches. Every change
 * requeues the unique name of the volume that it touches. A decision about that volume yields one
 * step per node ({@code decide}); slow steps run as operations ({@code execute}). Only the periodic
 * verification visits all attachments.
 */
@NullMarked
package dev.mooring.attachdetach;

import org.jspecify.annotations.NullMarked;
