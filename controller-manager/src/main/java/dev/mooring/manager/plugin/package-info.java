/** Third-party plugins: discovery, isolated class loading, and guarded calls. */
@NullMarked
package dev.mooring.manager.plugin;

import org.jspecify.annotations.NullMarked;
