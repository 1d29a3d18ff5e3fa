/** Authentication and role-based authorization. */
@NullMarked
package dev.mooring.apiserver.access;

import org.jspecify.annotations.NullMarked;
