/** Health and metrics over HTTP: who may have them, and how they are protected on the way. */
@NullMarked
package dev.mooring.manager.endpoint;

import org.jspecify.annotations.NullMarked;
