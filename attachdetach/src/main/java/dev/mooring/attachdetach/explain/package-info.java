/**
 * Explains why pods wait for volumes, and why attachments stay, from the views and decisions of the
 * controller. May depend on {@code state}, {@code decide} and core-api.
 */
@NullMarked
package dev.mooring.attachdetach.explain;

import org.jspecify.annotations.NullMarked;
