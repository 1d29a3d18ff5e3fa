/** Plugins that the benchmark of plugins packs into jars. They see model, spi and the JDK alone. */
@NullMarked
package dev.mooring.benchmarks.plugins;

import org.jspecify.annotations.NullMarked;
