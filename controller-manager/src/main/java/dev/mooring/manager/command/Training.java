package dev.mooring.manager.command;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.List;
import java.util.jar.JarEntry;

/**
 * The run that fills the AOT cache of a distribution. It does what later starts do, and ends by
 * itself.
 */
public final class Training {
  private static final String CLASS = ".class";

  private Training() {}

  /** Whether this is one ({@code -Dmooring.training=true}, set by the launcher). */
  public static boolean isOn() {
    return Boolean.getBoolean("mooring.training");
  }

  /**
   * Loads a package that later starts use and this run does not.
   *
   * @param one a class file of it, in a jar of the class path; what is in none is passed over
   */
  static void load(String one) throws IOException {
    ClassLoader loader = Training.class.getClassLoader();
    URL file = loader.getResource(one);
    if (file == null || !(file.openConnection() instanceof JarURLConnection jar)) {
      return;
    }
    String folder = one.substring(0, one.lastIndexOf('/') + 1);
    List<String> names =
        jar.getJarFile().stream()
            .map(JarEntry::getName)
            .filter(name -> name.startsWith(folder) && name.endsWith(CLASS))
            .filter(name -> name.indexOf('/', folder.length()) < 0)
            .map(name -> name.substring(0, name.length() - CLASS.length()).replace('/', '.'))
            .toList();
    for (String name : names) {
      try {
        Class.forName(name, false, loader);
      } catch (ClassNotFoundException e) {
        throw new IOException("class " + name + " of the program cannot be loaded", e);
      }
    }
  }
}
