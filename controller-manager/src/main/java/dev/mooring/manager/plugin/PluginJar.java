package dev.mooring.manager.plugin;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

record PluginJar(String name, List<Path> jars, List<String> state) {
  static SortedMap<String, PluginJar> scan(Path directory) throws IOException {
    SortedMap<String, PluginJar> byName = new TreeMap<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (name.startsWith(".")) {
          continue; // temporary files of Kubernetes' volumes and of editors
        }
        if (Files.isDirectory(entry)) {
          byName.put(name, of(name, listJars(entry)));
        } else if (name.endsWith(".jar")) {
          byName.put(name, of(name, List.of(entry)));
        }
      }
    }
    return byName;
  }

  private static List<Path> listJars(Path folder) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*.jar")) {
      List<Path> jars = new ArrayList<>();
      entries.forEach(jars::add);
      jars.sort(null);
      return jars;
    }
  }

  private static PluginJar of(String name, List<Path> jars) {
    return new PluginJar(name, jars, jars.stream().map(PluginJar::state).toList());
  }

  // An unreadable jar must not affect other plugins; loading it reports the problem.
  private static String state(Path jar) {
    try {
      BasicFileAttributes file = Files.readAttributes(jar, BasicFileAttributes.class);
      return jar.getFileName()
          + " "
          + file.size()
          + " "
          + file.lastModifiedTime()
          + " "
          + file.fileKey();
    } catch (IOException e) {
      return jar.getFileName() + " " + e;
    }
  }
}
