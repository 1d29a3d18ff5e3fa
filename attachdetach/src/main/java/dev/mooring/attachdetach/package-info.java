/**
 * The attach/detach controller: has volumes attached to the nodes whose pods use them, and detached
 * when nobody does. May see core-api.
 *
 * <p>What pods, claims, volumes, nodes and drivers say becomes the desired world ({@code observe});
 * what attaches and detaches report becomes the actual world (there too). Whatever touches a volume
 * puts its unique name into a queue; one look at everything about that volume yields a step per
 * node ({@code decide}), and slow steps run as operations ({@code execute}). Nothing loops over
 * what is attached, but for the periodic verification.
 */
@NullMarked
package dev.mooring.attachdetach;

import org.jspecify.annotations.NullMarked;
