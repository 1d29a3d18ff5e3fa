/**
 * The PersistentVolume controller: it binds claims to volumes and reclaims released volumes. This
 * package assembles the controller: {@code observe} handles watch events, {@code state} remembers
 * and builds views, {@code decide} decides, {@code execute} acts, and {@code explain} explains.
 */
@NullMarked
package dev.mooring.binder;

import org.jspecify.annotations.NullMarked;
