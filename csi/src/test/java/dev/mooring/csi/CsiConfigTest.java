package dev.mooring.csi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Class initialization of the defaults. */
class CsiConfigTest {
  private static URL[] classPath() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      URI uri = Path.of(entry).toUri();
      urls.add(uri.toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /** Some defaults contain others, which must be initialized first. */
  @ParameterizedTest
  @ValueSource(strings = {"", "$Calls", "$Listing", "$DataSources", "$Capacity", "$CapacityOwner"})
  void defaults_anyClassLoadedFirst_areComplete(String firstClass) throws Exception {
    String name = CsiConfig.class.getName();
    try (URLClassLoader fresh =
        new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      Class.forName(name + firstClass, true, fresh);
      Class<?> config = Class.forName(name, true, fresh);
      Object defaults = config.getField("DEFAULTS").get(null);
      for (String accessor : List.of("listing", "sources", "options", "calls")) {
        assertThat(config.getMethod(accessor).invoke(defaults)).as(accessor).isNotNull();
      }
    }
  }
}
