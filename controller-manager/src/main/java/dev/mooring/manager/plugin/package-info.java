/** Other people's jars: found, loaded apart, called through guards. */
@NullMarked
package dev.mooring.manager.plugin;

import org.jspecify.annotations.NullMarked;
