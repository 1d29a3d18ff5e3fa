/**
 * The PersistentVolume controller: it binds claims to volumes and reclaims released volumes. This
 * package assembles the controller; {@code observe} builds views, {@code decide} decides, {@code
 * execute} acts.
 */
@NullMarked
package dev.mooring.binder;

import org.jspecify.annotations.NullMarked;
