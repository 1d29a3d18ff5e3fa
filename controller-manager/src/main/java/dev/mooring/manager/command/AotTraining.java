package dev.mooring.manager.command;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.List;
import java.util.jar.JarEntry;

/** Recording of a distribution's AOT cache: the process acts like later starts, then exits. */
public final class AotTraining {
  private static final String CLASS = ".class";

  private AotTraining() {}

  public static boolean isOn() {
    return Boolean.getBoolean("mooring.training");
  }

  /**
   * Loads a package that later starts use but the recording does not reach.
   *
   * @param argument a class file of the package in a jar of the class path; ignored if absent
   */
  static void load(String argument) throws IOException {
    ClassLoader loader = AotTraining.class.getClassLoader();
    URL file = loader.getResource(argument);
    if (file == null || !(file.openConnection() instanceof JarURLConnection jar)) {
      return;
    }
    String folder = argument.substring(0, argument.lastIndexOf('/') + 1);
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
