/**
 * Protection of volumes, claims and VolumeAttributesClasses: a finalizer holds each while it is
 * used. Depends on core-api.
 */
@NullMarked
package dev.mooring.protection;

import org.jspecify.annotations.NullMarked;
