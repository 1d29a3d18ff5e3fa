package dev.mooring.manager.plugin;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Set;

/**
 * Class loader of one plugin. The JDK and the packages {@code model}, {@code spi}, {@code spi.csi}
 * and {@code spi.files} come from the host. Everything else comes from the plugin's jars, including
 * libraries that the host has too.
 */
final class PluginClassLoader extends URLClassLoader {
  private static final Set<String> SHARED =
      Set.of(
          "dev.mooring.model",
          "dev.mooring.spi",
          "dev.mooring.spi.csi",
          "dev.mooring.spi.files",
          "org.jspecify.annotations");

  static {
    registerAsParallelCapable();
  }

  private final ClassLoader host;

  PluginClassLoader(String name, URL[] jars, ClassLoader host) {
    super(name, jars, ClassLoader.getPlatformClassLoader());
    this.host = host;
  }

  private static boolean isShared(String className) {
    int dot = className.lastIndexOf('.');
    return dot > 0 && SHARED.contains(className.substring(0, dot));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    return isShared(name) ? host.loadClass(name) : super.loadClass(name, resolve);
  }

  @Override
  public URL getResource(String name) {
    return findResource(name);
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    return Collections.enumeration(Collections.list(findResources(name)));
  }
}
