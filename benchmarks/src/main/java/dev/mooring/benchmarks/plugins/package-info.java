/**
 * Plugins that the plugin benchmark packs into jars. They may use only the model, the SPI and the
 * JDK.
 */
@NullMarked
package dev.mooring.benchmarks.plugins;

import org.jspecify.annotations.NullMarked;
